import type { EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { takenAs } from '../database/conflicts';
import type { Database } from '../database/source';
import { RuleError } from '../http/errors';
import { Account } from './account.entity';
import { accountMessages } from './accounts.messages';
import type { LoginThrottle } from './login-throttle';
import { hashPassword, passwordMatches } from './passwords';
import type { Tokens } from './tokens';

/** Milliseconds for which an account that a token speaks for is not read again. */
const REMEMBERED = 1_000;

const canonical = (username: string) => username.trim().toLowerCase();

/** Administrators: who they are, their passwords and their tokens. */
export class AccountsService {
  private readonly remembered = new Map<string, { account: Account; until: number }>();
  private changes = 0;

  constructor(
    private readonly database: Database,
    private readonly tokens: Tokens,
    private readonly throttle: LoginThrottle,
  ) {}

  /** @throws RuleError unauthenticated (the same for an unknown name), tooMany */
  async login(username: string, password: string, address: string): Promise<string> {
    const name = canonical(username);
    await this.throttle.check(name, address);
    const account = await this.database.read.findOneBy(Account, { username: name });
    const matches = await passwordMatches(account?.passwordHash, password);
    // Guesses that came together all passed the first look: those beyond the limit learn nothing.
    await this.throttle.check(name, address);
    if (!matches || !account) {
      await this.throttle.fail(name, address);
      throw new RuleError('unauthenticated', accountMessages.wrongCredentials);
    }
    await this.throttle.succeed(name);
    return this.tokens.issue({ accountId: account._id, version: account.tokenVersion });
  }

  /** The account that a token speaks for, unless its password changed or it was removed since. */
  async ofToken(token: string): Promise<Account | undefined> {
    const subject = this.tokens.read(token);
    if (!subject) return undefined;
    const account = await this.find(subject.accountId);
    return account?.tokenVersion === subject.version ? account : undefined;
  }

  /** Every request asks this. A change made here counts at once, one of another process after `REMEMBERED`. */
  private async find(id: string): Promise<Account | undefined> {
    const known = this.remembered.get(id);
    if (known && known.until > Date.now()) return known.account;
    const { changes } = this;
    const account = await this.database.read.findOneBy(Account, { _id: id });
    if (!account) return undefined;
    // What was read while an account changed may be from before.
    if (changes === this.changes) this.remembered.set(id, { account, until: Date.now() + REMEMBERED });
    return account;
  }

  private forget(): void {
    this.changes += 1;
    this.remembered.clear();
  }

  /** @throws RuleError invalid when the current password is wrong */
  async changePassword(account: Account, currentPassword: string, newPassword: string): Promise<void> {
    if (!(await passwordMatches(account.passwordHash, currentPassword))) {
      throw new RuleError('invalid', accountMessages.currentPasswordWrong, {
        fields: { currentPassword: accountMessages.currentPasswordWrong },
      });
    }
    await this.setPassword(account.username, newPassword);
  }

  /** Also voids every earlier token. @throws RuleError notFound */
  async setPassword(username: string, password: string): Promise<void> {
    const passwordHash = await hashPassword(password);
    const { affected } = await this.database.write((manager) =>
      manager.update(
        Account,
        { username: canonical(username) },
        { passwordHash, tokenVersion: () => '"tokenVersion" + 1' },
      ),
    );
    this.forget();
    if (!affected) throw new RuleError('notFound', accountMessages.unknownUsername(username));
  }

  /** @throws RuleError conflict */
  async create(username: string, password: string): Promise<void> {
    const passwordHash = await hashPassword(password);
    await this.database
      .write((manager) => insert(manager, username, passwordHash))
      .catch(takenAs('username', accountMessages.usernameTaken(username)));
  }

  /** Creates the account only while there is none at all. */
  async createFirst(username: string, password: string): Promise<boolean> {
    const passwordHash = await hashPassword(password);
    return this.database.write(async (manager) => {
      if ((await manager.count(Account)) > 0) return false;
      await insert(manager, username, passwordHash);
      return true;
    });
  }

  async usernames(): Promise<string[]> {
    const accounts = await this.database.read.find(Account, { order: { username: 'ASC' } });
    return accounts.map(({ username }) => username);
  }

  /** @throws RuleError notFound, conflict for the last one */
  async remove(username: string): Promise<void> {
    await this.database.write(async (manager) => {
      const account = await manager.findOneBy(Account, { username: canonical(username) });
      if (!account) throw new RuleError('notFound', accountMessages.unknownUsername(username));
      if ((await manager.count(Account)) === 1) throw new RuleError('conflict', accountMessages.lastAccount);
      await manager.delete(Account, { _id: account._id });
    });
    this.forget();
  }
}

const insert = (manager: EntityManager, username: string, passwordHash: string) =>
  manager.insert(Account, {
    _id: uuid(),
    username: canonical(username),
    passwordHash,
    tokenVersion: 1,
    createdAt: new Date().toISOString(),
  });
