import { createHash } from 'node:crypto';
import type { ChangeContext, Database } from '../database/source';
import { fieldError, RuleError } from '../errors';
import { networkOf } from '../rules/network';
import { Account } from './account.entity';
import type { AccountCache } from './account-cache';
import { accountMessages } from './accounts.messages';
import { type AccountsService, canonicalUsername } from './accounts.service';
import { EndedSession } from './ended-session.entity';
import type { FirstPassword } from './first-password';
import type { Attempt, LoginLimits } from './login-limits';
import { passwordMatches, withHashingSlot } from './passwords';
import type { SecondFactor } from './second-factor';
import type { Tokens } from './tokens';

/** One login, from its token's issue to its end. */
export interface Session {
  id: string;
  /** ISO 8601 UTC. */
  endsAt: string;
}

interface Credentials {
  username: string;
  password: string;
  code?: string | null | undefined;
}

interface Dependencies {
  database: Database;
  accounts: AccountsService;
  accountCache: AccountCache;
  limits: LoginLimits;
  secondFactor: SecondFactor;
  firstPassword: FirstPassword;
  tokens: Tokens;
}

/** Logins and sessions: issues a token for a password, and finds the account of a token. */
export class SessionsService {
  constructor(private readonly deps: Dependencies) {}

  /**
   * @throws RuleError unauthenticated (the same for an unknown name; with `codeRequired` when only the second factor is
   *   missing or wrong), tooMany
   */
  async login({ username, password, code }: Credentials, address: string): Promise<string> {
    const { limits } = this.deps;
    const attempt = { username: canonicalUsername(username), network: networkOf(address) };
    await limits.check(attempt);
    return withHashingSlot(attempt.network, async () => {
      await limits.begin(attempt);
      const account = await this.deps.database.read.findOneBy(Account, { username: attempt.username });
      if (!(await passwordMatches(account?.passwordHash || undefined, password)) || !account)
        throw new RuleError('unauthenticated', accountMessages.wrongCredentials);
      if (account.totpSecret) await this.passSecondFactor(account, attempt, code);
      await limits.succeed(attempt, account._id);
      const lastLoginAt = new Date().toISOString();
      await this.deps.database.append((manager) => manager.update(Account, { _id: account._id }, { lastLoginAt }));
      this.deps.firstPassword.remove();
      return this.deps.tokens.issue({ accountId: account._id, version: account.tokenVersion });
    });
  }

  /** A wrong code counts as a failed login, a missing one does not. */
  private async passSecondFactor(account: Account, attempt: Attempt, code: string | null | undefined): Promise<void> {
    if (!code) await this.deps.limits.retract(attempt);
    else if (await this.deps.secondFactor.use(account, code)) return;
    const sentence = code ? accountMessages.codeWrong : accountMessages.codeRequired;
    throw new RuleError('unauthenticated', sentence, { codeRequired: true });
  }

  /** Switches the second factor off. @throws RuleError conflict when it is off, invalid, tooMany like a login */
  async endSecondFactor(context: ChangeContext, accountId: string, code: string): Promise<void> {
    const attempt = { username: context.actor, network: networkOf(context.address), authenticated: true };
    await this.deps.limits.begin(attempt);
    const account = await this.deps.database.read.findOneByOrFail(Account, { _id: accountId });
    if (account.totpSecret && !(await this.deps.secondFactor.use(account, code)))
      throw fieldError('invalid', 'code', accountMessages.codeWrong);
    await this.deps.limits.retract(attempt);
    if (!account.totpSecret) throw new RuleError('conflict', accountMessages.totpOff);
    await this.deps.secondFactor.end(context, accountId);
  }

  /** The account and session of a token; undefined when either has ended or the password has changed. */
  async ofToken(token: string): Promise<{ _id: string; username: string; session: Session } | undefined> {
    const subject = this.deps.tokens.read(token);
    if (!subject) return undefined;
    const id = createHash('sha256').update(token).digest('hex');
    const account = await this.deps.accountCache.find(subject.accountId, id);
    if (account?.tokenVersion !== subject.version) return undefined;
    const { _id, username } = account;
    return { _id, username, session: { id, endsAt: subject.endsAt } };
  }

  /** Ends this session; other cores notice within a second. */
  async logout({ id, endsAt }: Session): Promise<void> {
    await this.deps.database.append((manager) => manager.upsert(EndedSession, { id, endsAt }, ['id']));
    this.deps.accountCache.clear();
  }

  /** @throws RuleError invalid when the current password is wrong, tooMany like a login */
  async changePassword(
    context: ChangeContext,
    accountId: string,
    currentPassword: string,
    newPassword: string,
  ): Promise<void> {
    const attempt = { username: context.actor, network: networkOf(context.address), authenticated: true };
    await withHashingSlot(attempt.network, async () => {
      await this.deps.limits.begin(attempt);
      const account = await this.deps.database.read.findOneBy(Account, { _id: accountId });
      if (!(await passwordMatches(account?.passwordHash || undefined, currentPassword)))
        throw fieldError('invalid', 'currentPassword', accountMessages.currentPasswordWrong);
      await this.deps.limits.succeed(attempt, accountId);
    });
    await this.deps.accounts.setPassword(context, context.actor, newPassword);
  }
}
