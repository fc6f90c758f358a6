import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { request } from 'undici';
import { toLimitKey } from '../../platform/net/network';

const MAX_PASSWORDS = 10_000;
const CORRECT_TTL_MS = 5 * 60_000;
/** A wrong password is compared again after this time, ms. The core limits wrong attempts. */
const WRONG_TTL_MS = 5_000;
const TIMEOUT_MS = 10_000;

const TOO_MANY_REQUESTS = 429;
/** Lockout of a network if the core sends no `Retry-After`, s. */
const DEFAULT_RETRY_S = 60;

interface PasswordResult {
  readonly isCorrect: boolean;
  /** Set after too many wrong attempts: time until the core compares a password again, ms. */
  readonly lockedMs?: number;
}

/**
 * Caches the core's results for passwords of `Authorization: Basic`, for each network that sent them. Scripts send the
 * password with every request, and the core's password hash takes tens of milliseconds on purpose. A result for another
 * network is not used, because the core's limit on wrong attempts would miss the attempt.
 */
export class BasicAuthCache {
  private readonly results = new LRUCache<string, boolean>({ max: MAX_PASSWORDS });
  /** Combinations of a host's key and a network that made too many wrong attempts. */
  private readonly lockedNetworks = new LRUCache<string, true>({ max: MAX_PASSWORDS });

  constructor(private readonly coreUrl: string) {}

  /**
   * @param key signs the cookies of the host and changes with the password
   * @param address address of the client
   * @returns whether the password is accepted: false for a locked network, undefined before the core has compared it
   */
  readonly getCachedResult = (key: Buffer, password: string, address: string): boolean | undefined => {
    const network = toLimitKey(address);
    return this.lockedNetworks.has(createCacheKey(key, network))
      ? false
      : this.results.get(createCacheKey(key, network, password));
  };

  /** Asks the core to compare a password. If the core fails, the password counts as wrong. */
  async verify(key: Buffer, password: string, host: string, address: string): Promise<void> {
    const network = toLimitKey(address);
    const { isCorrect, lockedMs } = await this.compare(password, host, address).catch(
      (): PasswordResult => ({ isCorrect: false }),
    );
    if (lockedMs !== undefined) this.lockedNetworks.set(createCacheKey(key, network), true, { ttl: lockedMs });
    this.results.set(createCacheKey(key, network, password), isCorrect, {
      ttl: isCorrect ? CORRECT_TTL_MS : WRONG_TTL_MS,
    });
  }

  private async compare(password: string, host: string, address: string): Promise<PasswordResult> {
    const { statusCode, headers, body } = await request(`${this.coreUrl}/site-access/verify`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': address },
      body: JSON.stringify({ host, password }),
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
    });
    await body.dump();
    if (statusCode !== TOO_MANY_REQUESTS) return { isCorrect: statusCode === 204 };
    return { isCorrect: false, lockedMs: (Number(headers['retry-after']) || DEFAULT_RETRY_S) * 1000 };
  }
}

const createCacheKey = (key: Buffer, ...texts: string[]): string =>
  createHash('sha256').update(key).update(JSON.stringify(texts)).digest('base64');
