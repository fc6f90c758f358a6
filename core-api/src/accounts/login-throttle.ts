import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { RuleError } from '../http/errors';
import { accountMessages } from './accounts.messages';

const WINDOW = 15 * 60;

export interface LoginThrottle {
  /** @throws RuleError tooMany once the account or the address has used its failures up */
  check(username: string, address: string): Promise<void>;
  fail(username: string, address: string): Promise<void>;
  succeed(username: string): Promise<void>;
}

/** contract §3: 20 failures of one account or 50 of one address in 15 minutes. Kept in memory: a restart forgets them. */
export function createLoginThrottle(): LoginThrottle {
  const accounts = new RateLimiterMemory({ points: 20, duration: WINDOW });
  const addresses = new RateLimiterMemory({ points: 50, duration: WINDOW });

  async function check(limiter: RateLimiterMemory, key: string) {
    const used = await limiter.get(key);
    if (!used || used.consumedPoints < limiter.points) return;
    throw new RuleError('tooMany', accountMessages.tooManyFailures, {
      retryAfter: Math.ceil(used.msBeforeNext / 1000),
    });
  }

  /** Concurrent failures may pass the limit together: the limiter's own refusal is no further news. */
  const count = (limiter: RateLimiterMemory, key: string) =>
    limiter.consume(key).catch((refusal: unknown) => {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
    });

  return {
    async check(username, address) {
      await check(accounts, username);
      await check(addresses, address);
    },
    async fail(username, address) {
      await Promise.all([count(accounts, username), count(addresses, address)]);
    },
    async succeed(username) {
      await accounts.delete(username);
    },
  };
}
