import { hash } from 'node:crypto';
import type { Logger } from 'pino';
import type { EntityManager } from 'typeorm';
import type { ChangeContext, Database } from '../../../platform/database/database';
import type { RowCache } from '../../../platform/database/queries/row-cache';
import { createFieldError, RuleError } from '../../../platform/errors/rule-error';
import type { Principal, Session } from '../../../platform/http/access/authentication';
import { toCustomerNetwork, toLimitKey } from '../../../platform/net/network';
import { Account, EndedSession } from '../account.entity';
import { accountMessages } from '../accounts.messages';
import type { LoginBody, PasswordBody } from '../accounts.schema';
import { type AccountsService, requireSessionAccount, toPrincipal } from '../accounts.service';
import type { GuessLimits } from '../logins/guess-limits';
import type { LoginAttempt, LoginLimits } from '../logins/login-limits';
import { isFailedGuess, type LoginOrigin, type LoginRecord } from '../logins/login-record';
import type { FirstPassword } from '../passwords/first-password';
import { passwordMatches, withHashingSlot } from '../passwords/passwords';
import { isTotp, removeSecondFactor, type SecondFactor, SecondFactorError } from '../second-factor/second-factor';
import { toStoredUsername } from '../username';
import type { SessionTokens } from './session-tokens';
import type { SudoService } from './sudo.service';

interface SessionsOptions {
  database: Database;
  accounts: AccountsService;
  /** The account of each session, by the session's id. */
  accountCache: RowCache<Account>;
  limits: LoginLimits;
  guesses: GuessLimits;
  secondFactor: SecondFactor;
  firstPassword: FirstPassword;
  loginRecord: LoginRecord;
  sudo: Pick<SudoService, 'find'>;
  tokens: SessionTokens;
  log: Pick<Logger, 'info'>;
}

type LoginResult = 'success' | 'failure' | 'code' | 'limited';

function toLoginResult(error: RuleError): LoginResult {
  if (error.kind === 'tooMany') return 'limited';
  return error instanceof SecondFactorError ? 'code' : 'failure';
}

/** The account of a session; undefined if the account was removed or the session was ended. */
async function findSessionAccount(
  manager: EntityManager,
  accountId: string,
  sessionId: string,
): Promise<Account | undefined> {
  const account = await manager.findOneBy(Account, { _id: accountId });
  return account && !(await manager.existsBy(EndedSession, { id: sessionId })) ? account : undefined;
}

/** Issues session tokens for passwords, and finds the account of a session token. */
export class SessionsService {
  constructor(private readonly options: SessionsOptions) {}

  /**
   * Issues a token. An unknown name is refused like a wrong password.
   * @throws RuleError unauthenticated, SecondFactorError if only the second factor is missing or wrong; tooMany
   */
  async login(body: LoginBody, origin: LoginOrigin): Promise<string> {
    const credentials = { ...body, username: toStoredUsername(body.username) };
    try {
      const token = await this.issueToken(credentials, origin);
      await this.logLogin('success', credentials.username, origin);
      return token;
    } catch (error) {
      if (error instanceof RuleError) await this.recordRefusal(error, credentials, origin);
      throw error;
    }
  }

  private async recordRefusal(error: RuleError, { username, code }: LoginBody, origin: LoginOrigin): Promise<void> {
    await this.logLogin(toLoginResult(error), username, origin);
    if (!isFailedGuess(error, code)) return;
    const account = await this.options.database.read.findOneBy(Account, { username, kind: 'person' });
    await this.options.loginRecord.add(error.kind === 'tooMany' ? 'limited' : 'failure', account ?? undefined, origin);
  }

  /** Logs a login, and its username only if an account is found, because people type passwords as their username. */
  private async logLogin(result: LoginResult, username: string, { address, requestId }: LoginOrigin): Promise<void> {
    const exists = await this.options.database.read.existsBy(Account, { username }).catch(() => false);
    this.options.log.info({ event: 'login', result, address, requestId, ...(exists && { account: username }) });
  }

  private async issueToken({ username, password, code }: LoginBody, origin: LoginOrigin): Promise<string> {
    const { limits } = this.options;
    const { address } = origin;
    const attempt = { username, network: toLimitKey(address), customerNetwork: toCustomerNetwork(address) };
    const isKnown = await limits.check(attempt);
    return withHashingSlot({ network: attempt.network, isKnown }, async () => {
      await limits.countAttempt(attempt);
      const account = await this.options.database.read.findOneBy(Account, { username });
      if (!(await passwordMatches(account?.passwordHash || undefined, password)) || !account)
        throw new RuleError('unauthenticated', accountMessages.wrongCredentials);
      if (account.totpSecret) await this.requireSecondFactor(account, attempt, code);
      await limits.recordSuccess(attempt, account._id);
      const lastLoginAt = new Date().toISOString();
      await this.options.database.concurrentWrite((manager) =>
        manager.update(Account, { _id: account._id }, { lastLoginAt }),
      );
      const isRecovery = account.totpSecret && code && !isTotp(code);
      await this.options.loginRecord.add(isRecovery ? 'recovery' : 'success', account, origin);
      this.options.firstPassword.remove();
      return this.options.tokens.issue({ accountId: account._id, version: account.tokenVersion });
    });
  }

  /** A wrong code counts as a failed login. A missing code and a code beyond the limit of guesses do not count. */
  private async requireSecondFactor(
    account: Account,
    attempt: LoginAttempt,
    code: string | null | undefined,
  ): Promise<void> {
    if (!code) await this.options.limits.retract(attempt);
    else if (await this.useCode(account, attempt, code)) return;
    const message = code ? accountMessages.codeWrong : accountMessages.codeRequired;
    const fields = code ? { code: message } : undefined;
    throw new SecondFactorError('unauthenticated', message, fields);
  }

  /** Whether a code is valid. The attempt is retracted if too many codes were wrong. @throws RuleError tooMany */
  private async useCode(account: Account, attempt: LoginAttempt, code: string): Promise<boolean> {
    try {
      return await this.options.secondFactor.useCode(account, code);
    } catch (error) {
      if (error instanceof RuleError) await this.options.limits.retract(attempt);
      throw error;
    }
  }

  /** Switches the second factor off. @throws RuleError conflict when it is off; invalid or tooMany for wrong codes */
  async endSecondFactor(
    context: ChangeContext,
    session: Session,
    accountId: string,
    code: string | null | undefined,
  ): Promise<void> {
    const { database, secondFactor, sudo } = this.options;
    const account = await requireSessionAccount(database.read, accountId);
    if (!account.totpSecret) throw new RuleError('conflict', accountMessages.totpOff);
    // A code is valid only once. A request without a code uses the code that confirmed the session's sudo.
    const isConfirmed = code ? await secondFactor.useCode(account, code) : (await sudo.find(session))?.withCode;
    if (!isConfirmed)
      throw createFieldError('invalid', 'code', code ? accountMessages.codeWrong : accountMessages.code);
    await database.serializedWrite(context, (manager) => removeSecondFactor(manager, accountId));
  }

  /**
   * The account and session of a token; undefined if the account is gone, the session is over or the password changed.
   * @param manager if given, the account is read in its transaction and without the cache
   */
  async findByToken(token: string, manager?: EntityManager): Promise<Principal | undefined> {
    const tokenClaims = this.options.tokens.verify(token);
    if (!tokenClaims) return undefined;
    const id = hash('sha256', token);
    const { accountCache, database } = this.options;
    const account = manager
      ? await findSessionAccount(manager, tokenClaims.accountId, id)
      : await accountCache.get(id, () => findSessionAccount(database.read, tokenClaims.accountId, id));
    if (account?.tokenVersion !== tokenClaims.version) return undefined;
    return { ...toPrincipal(account), session: { id, endsAt: tokenClaims.endsAt }, token: null };
  }

  /** Ends a session; other cores notice within a second. */
  async logout({ id, endsAt }: Session): Promise<void> {
    await this.options.database.concurrentWrite((manager) => manager.upsert(EndedSession, { id, endsAt }, ['id']));
    this.options.accountCache.clear();
  }

  /**
   * Changes the password, and ends every session of the account.
   * @returns the token of a new session
   * @throws RuleError invalid for a wrong current password; tooMany after too many wrong passwords of the account
   */
  async changePassword(
    context: ChangeContext,
    accountId: string,
    { currentPassword, newPassword }: PasswordBody,
  ): Promise<string> {
    const { guesses } = this.options;
    await withHashingSlot({ network: toLimitKey(context.address), isKnown: true }, async () => {
      await guesses.countGuess('password', accountId);
      const account = await this.options.database.read.findOneBy(Account, { _id: accountId });
      if (!(await passwordMatches(account?.passwordHash || undefined, currentPassword)))
        throw createFieldError('invalid', 'currentPassword', accountMessages.currentPasswordWrong);
      await guesses.retractGuess('password', accountId);
    });
    const version = await this.options.accounts.setPassword(context, context.actor, newPassword);
    return this.options.tokens.issue({ accountId, version });
  }
}
