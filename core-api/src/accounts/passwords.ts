import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { createQueue } from '../database/queue';

/** argon2id with OWASP's parameters: 19 MiB, two passes, one lane. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Two at a time: a storm of logins must not take all memory and cores. */
const lanes = [createQueue(), createQueue()];
let next = 0;
const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
  next = (next + 1) % lanes.length;
  return (lanes[next] ?? createQueue())(work);
};

export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(password, parameters));

let decoy: Promise<string> | undefined;

/** Compares with a decoy when there is no hash, so that an unknown name takes the same time. */
export async function passwordMatches(passwordHash: string | undefined, password: string): Promise<boolean> {
  decoy ??= hashPassword(randomBytes(16).toString('hex'));
  const against = passwordHash ?? (await decoy);
  return (await inTurn(() => verify(against, password))) && passwordHash !== undefined;
}

/** Readable and long enough: 20 characters, about 119 bits. */
export const randomPassword = (): string => randomBytes(15).toString('base64url');
