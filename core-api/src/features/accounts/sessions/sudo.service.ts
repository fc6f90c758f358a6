import { MoreThan } from 'typeorm';
import type { ChangeContext, Database } from '../../../platform/database/database';
import { createFieldError, RuleError } from '../../../platform/errors/rule-error';
import type { Session } from '../../../platform/http/access/authentication';
import { toLimitKey } from '../../../platform/net/network';
import { type Account, SudoSession } from '../account.entity';
import { accountMessages as messages } from '../accounts.messages';
import type { SudoBody } from '../accounts.schema';
import { requireSessionAccount } from '../accounts.service';
import type { GuessLimits } from '../logins/guess-limits';
import { isFailedGuess, type LoginRecord } from '../logins/login-record';
import { passwordMatches, withHashingSlot } from '../passwords/passwords';
import { type SecondFactor, SecondFactorError } from '../second-factor/second-factor';

interface SudoOptions {
  database: Database;
  guesses: GuessLimits;
  secondFactor: SecondFactor;
  loginRecord: LoginRecord;
  /** Duration of a sudo, in seconds. */
  ttlS: number;
}

/**
 * Re-authentication (contract §6): for some time after a person has confirmed the password in a session, this session
 * may make calls that require sudo.
 */
export class SudoService {
  constructor(private readonly options: SudoOptions) {}

  /** The session's sudo; null if the session has no sudo or the sudo is over. */
  find({ id: sessionId }: Session): Promise<SudoSession | null> {
    const endsAt = MoreThan(new Date().toISOString());
    return this.options.database.read.findOneBy(SudoSession, { sessionId, endsAt });
  }

  /** Starts a sudo. @returns its end @throws RuleError tooMany; invalid, as SecondFactorError if only the code fails */
  async elevate(context: ChangeContext, session: Session, accountId: string, body: SudoBody): Promise<string> {
    const account = await requireSessionAccount(this.options.database.read, accountId);
    const record = (action: 'elevated' | 'failure' | 'limited') =>
      this.options.loginRecord.add(action, account, context);
    try {
      await this.reauthenticate(context, account, body);
    } catch (error) {
      if (error instanceof RuleError && isFailedGuess(error, body.code))
        await record(error.kind === 'tooMany' ? 'limited' : 'failure');
      throw error;
    }
    const endsAtMs = Math.min(Date.now() + this.options.ttlS * 1000, Date.parse(session.endsAt));
    const endsAt = new Date(endsAtMs).toISOString();
    const row = { sessionId: session.id, accountId, endsAt, withCode: account.totpSecret !== '' };
    await this.options.database.concurrentWrite(async (manager) => {
      await requireSessionAccount(manager, accountId);
      await manager.upsert(SudoSession, row, ['sessionId']);
    });
    await record('elevated');
    return endsAt;
  }

  private async reauthenticate(context: ChangeContext, account: Account, { password, code }: SudoBody): Promise<void> {
    const { guesses, secondFactor } = this.options;
    await withHashingSlot({ network: toLimitKey(context.address), isKnown: true }, async () => {
      await guesses.countGuess('password', account._id);
      if (!(await passwordMatches(account.passwordHash || undefined, password)))
        throw createFieldError('invalid', 'password', messages.passwordWrong);
      await guesses.retractGuess('password', account._id);
    });
    if (!account.totpSecret) return;
    const message = code ? messages.codeWrong : messages.codeRequired;
    if (!code || !(await secondFactor.useCode(account, code)))
      throw new SecondFactorError('invalid', message, { code: message });
  }
}
