import type { Database } from '../../../platform/database/database';
import { DAY_MS, MINUTE_MS } from '../../../platform/time/relative-time';
import { accountMessages } from '../accounts.messages';
import { addFailure, type FailureCounter, retractFailure, toCounterKey } from './failure-counters';

/** Kinds of guesses by a caller who already has the password or a token of the account. */
type GuessKind = 'code' | 'password';

/** Limits of contract §6. */
const LIMITS = [
  { limit: 10, windowMs: 15 * MINUTE_MS },
  { limit: 50, windowMs: DAY_MS },
];

const messages: Record<GuessKind, string> = {
  code: accountMessages.tooManyCodes,
  password: accountMessages.tooManyPasswords,
};

const createCounters = (kind: GuessKind, accountId: string): FailureCounter[] =>
  LIMITS.map((entry) => ({ ...entry, key: toCounterKey('guess', kind, accountId, String(entry.windowMs)) }));

/**
 * Limits guesses of second-factor codes, and guesses of the current password within a session. Each limit holds per
 * account, over all addresses. `LoginLimits` limits guesses of passwords at logins.
 */
export class GuessLimits {
  constructor(private readonly database: Database) {}

  /** Counts a guess as wrong before it is compared. @throws RuleError tooMany if a limit is already reached */
  countGuess(kind: GuessKind, accountId: string): Promise<void> {
    return this.database.concurrentWrite((manager) =>
      addFailure(manager, createCounters(kind, accountId), messages[kind]),
    );
  }

  /** After a correct guess, removes the failure that `countGuess` has recorded for it. */
  retractGuess(kind: GuessKind, accountId: string): Promise<void> {
    return this.database.concurrentWrite((manager) => retractFailure(manager, createCounters(kind, accountId)));
  }
}
