import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';
import { RuleError } from '../errors';
import { accountMessages } from './accounts.messages';

/** argon2id with OWASP's parameters: 19 MiB, two passes, one thread. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Two hashes at a time, to bound memory and processor use. */
const limit = pLimit(2);
/** Bounds the wait to about a second: a hash takes about 25 ms. */
const MAX_WAITING = 64;
/** Per network, so that one cannot take all places. */
const MAX_WAITING_PER_NETWORK = 16;

const waiting = new Map<string, number>();

/**
 * Queues `work`, which hashes a password.
 * @param network of the client; '' for the product's own commands
 * @throws RuleError tooMany when the queue is full
 */
export async function withHashingSlot<T>(network: string, work: () => Promise<T>): Promise<T> {
  const own = waiting.get(network) ?? 0;
  if (limit.pendingCount >= MAX_WAITING || own >= MAX_WAITING_PER_NETWORK)
    throw new RuleError('tooMany', accountMessages.busy, { retryAfterS: 1 });
  waiting.set(network, own + 1);
  try {
    return await limit(work);
  } finally {
    const left = (waiting.get(network) ?? 1) - 1;
    if (left === 0) waiting.delete(network);
    else waiting.set(network, left);
  }
}

/** @throws RuleError tooMany */
export const hashPassword = (password: string): Promise<string> =>
  withHashingSlot('', () => hash(password, parameters));

let decoyHash: Promise<string> | undefined;

/**
 * Compares with a decoy where there is no hash, so that an unknown name takes as long as a wrong password. Called within
 * `withHashingSlot`.
 */
export async function passwordMatches(passwordHash: string | undefined, password: string): Promise<boolean> {
  decoyHash ??= hash(randomBytes(16).toString('hex'), parameters);
  const against = passwordHash ?? (await decoyHash);
  return (await verify(against, password)) && passwordHash !== undefined;
}

/** Readable and long enough: 20 characters, about 119 bits. */
export const randomPassword = (): string => randomBytes(15).toString('base64url');
