import type { Database } from '../../platform/database/database';
import { DAY_MS } from '../../platform/time/units';
import { accountMessages } from './accounts.messages';
import {
  addFailure,
  counterKey,
  type FailureCounter,
  inOrder,
  refuseExceeded,
  retractFailure,
} from './failure-counters';

/** Kinds of guesses by a caller who already has the password or a token of the account. */
type Guessed = 'code' | 'password';

/** Limits of contract §6. */
const LIMITS = [
  { limit: 10, windowMs: 15 * 60 * 1000 },
  { limit: 50, windowMs: DAY_MS },
];

const messages: Record<Guessed, string> = {
  code: accountMessages.tooManyCodes,
  password: accountMessages.tooManyPasswords,
};

const countersOf = (guessed: Guessed, accountId: string): FailureCounter[] =>
  inOrder(LIMITS.map((each) => ({ ...each, key: counterKey('guess', guessed, accountId, String(each.windowMs)) })));

/**
 * Limits guesses per account over all addresses: codes of the second factor, and the password of a session that asks for
 * it again. Wrong passwords at a login have `LoginLimits`.
 */
export class GuessLimits {
  constructor(private readonly database: Database) {}

  /**
   * Counts a guess as wrong before it is compared, so that concurrent guesses cannot exceed the limit.
   * @throws RuleError tooMany, and counts nothing
   */
  async begin(guessed: Guessed, accountId: string): Promise<void> {
    const counters = countersOf(guessed, accountId);
    await this.database.concurrentWrite(async (manager) => {
      await addFailure(manager, counters);
      await refuseExceeded(manager, counters, 0, messages[guessed]);
    });
  }

  /** Uncounts a correct guess. */
  async succeed(guessed: Guessed, accountId: string): Promise<void> {
    const counters = countersOf(guessed, accountId);
    await this.database.concurrentWrite((manager) => retractFailure(manager, counters));
  }
}
