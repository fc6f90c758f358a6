import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { request } from 'undici';

const MAX_PASSWORDS = 10_000;
const CORRECT_TTL_MS = 5 * 60_000;
/** A wrong password is compared again after this time; the core limits guesses. */
const WRONG_TTL_MS = 5_000;
const TIMEOUT_MS = 10_000;

/**
 * Caches the core's answers about passwords of `Authorization: Basic`. Scripts send the password with every request, and the
 * core's password hash takes tens of milliseconds on purpose.
 */
export class BasicAuthCache {
  private readonly results = new LRUCache<string, boolean>({ max: MAX_PASSWORDS });

  /** @param coreUrl where passwords are compared */
  constructor(private readonly coreUrl: string) {}

  /**
   * @param key of the host's cookies, which changes with the password
   * @returns whether the password is correct; undefined before the core has compared it
   */
  readonly cachedResult = (key: Buffer, password: string): boolean | undefined =>
    this.results.get(digestOf(key, password));

  /** Asks the core. Without an answer, and after too many guesses, the password counts as wrong. */
  async verify(key: Buffer, password: string, host: string, address: string): Promise<void> {
    const isRight = await this.compare(password, host, address).catch(() => false);
    this.results.set(digestOf(key, password), isRight, { ttl: isRight ? CORRECT_TTL_MS : WRONG_TTL_MS });
  }

  private async compare(password: string, host: string, address: string): Promise<boolean> {
    const { statusCode, body } = await request(`${this.coreUrl}/site-access/verify`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': address },
      body: JSON.stringify({ host, password }),
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
    });
    await body.dump();
    return statusCode === 204;
  }
}

const digestOf = (key: Buffer, password: string): string =>
  createHash('sha256').update(key).update(password).digest('base64');
