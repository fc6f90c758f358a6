import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';
import { RuleError } from '../../../platform/errors/rule-error';
import { accountMessages } from '../accounts.messages';

/** argon2id with the parameters that OWASP recommends: 19 MiB, two passes, one thread. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Two hashes run at a time, which bounds memory and CPU use. */
const hashQueue = pLimit(2);
/** Bounds the wait to about a second, at about 25 ms per hash. */
const MAX_WAITING = 64;
/** Places in the queue for unknown clients. The other places are reserved for clients that are known to the account. */
const MAX_WAITING_UNKNOWN = 42;
/** Limit per network, so that one client cannot fill the queue. */
const MAX_WAITING_PER_NETWORK = 16;

const waitingByNetwork = new Map<string, number>();

interface HashingClient {
  /** `toLimitKey` of the client; empty for every hash of a new password (`hashPassword`). */
  network: string;
  /** True if the client has a token of the account, or if its network is known to the account. */
  isKnown: boolean;
}

export class HashingQueueFullError extends RuleError {}

/** Runs `work`, which hashes a password, when its turn has come. @throws HashingQueueFullError */
export async function withHashingSlot<T>({ network, isKnown }: HashingClient, work: () => Promise<T>): Promise<T> {
  const queuedCount = waitingByNetwork.get(network) ?? 0;
  if (hashQueue.pendingCount >= (isKnown ? MAX_WAITING : MAX_WAITING_UNKNOWN) || queuedCount >= MAX_WAITING_PER_NETWORK)
    throw new HashingQueueFullError('tooMany', accountMessages.busy, { retryAfterS: 1 });
  waitingByNetwork.set(network, queuedCount + 1);
  try {
    return await hashQueue(work);
  } finally {
    const remainingCount = (waitingByNetwork.get(network) ?? 1) - 1;
    if (remainingCount === 0) waitingByNetwork.delete(network);
    else waitingByNetwork.set(network, remainingCount);
  }
}

/** Waits for a hashing slot. @throws RuleError tooMany */
export const hashPassword = (password: string): Promise<string> =>
  withHashingSlot({ network: '', isKnown: true }, () => hash(password, parameters));

let decoyHash: Promise<string> | undefined;

/**
 * Compares a password with its hash. Without a hash, a decoy is compared, so that an unknown name takes as long as a
 * wrong password. Call it within `withHashingSlot`.
 */
export async function passwordMatches(passwordHash: string | undefined, password: string): Promise<boolean> {
  decoyHash ??= hash(randomBytes(16).toString('hex'), parameters);
  const comparedHash = passwordHash ?? (await decoyHash);
  return (await verify(comparedHash, password)) && passwordHash !== undefined;
}

/** A random password of 20 characters (120 bits). */
export const generatePassword = (): string => randomBytes(15).toString('base64url');

/** The hash of a site's password, and the key of the cookies that its password form sets. @throws RuleError tooMany */
export const createSitePassword = async (password: string): Promise<{ passwordHash: string; passwordKey: string }> => ({
  passwordHash: await hashPassword(password),
  passwordKey: randomBytes(32).toString('hex'),
});
