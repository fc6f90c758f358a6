import { type EntityManager, Not } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { takenAs } from '../database/conflicts';
import type { ChangeContext, Database } from '../database/source';
import { RuleError } from '../errors';
import { Account } from './account.entity';
import { accountMessages } from './accounts.messages';
import type { FirstPassword } from './first-password';
import { hashPassword } from './passwords';
import { removeSecondFactor } from './second-factor';

export const canonicalUsername = (username: string) => username.trim().toLowerCase();

/** Administrators: who they are and their passwords. */
export class AccountsService {
  /** @param onChange called when an account has changed: caches of it are stale */
  constructor(
    private readonly database: Database,
    private readonly firstPassword: FirstPassword,
    private readonly onChange: () => void,
  ) {}

  /** Also voids every earlier token. @throws RuleError notFound */
  async setPassword(
    context: ChangeContext,
    username: string,
    password: string,
    { secondFactor = 'kept' }: { secondFactor?: 'kept' | 'removed' } = {},
  ): Promise<void> {
    const passwordHash = await hashPassword(password);
    await this.database.change(context, async (manager) => {
      const { _id, tokenVersion } = await findByName(manager, username);
      const noSetup = { setupDigest: null, setupEndsAt: null };
      await manager.update(Account, { _id }, { passwordHash, tokenVersion: tokenVersion + 1, ...noSetup });
      if (secondFactor === 'removed') await removeSecondFactor(manager, _id);
    });
    this.onChange();
    this.firstPassword.remove();
  }

  /** @throws RuleError conflict */
  async create(context: ChangeContext, username: string, password: string): Promise<void> {
    const passwordHash = await hashPassword(password);
    await this.database
      .change(context, (manager) => insert(manager, username, passwordHash))
      .catch(takenAs({ 'accounts(username)': ['username', accountMessages.usernameTaken(username)] }));
  }

  /** Creates the account only while there is none at all. */
  async createFirst(context: ChangeContext, username: string, password: string): Promise<boolean> {
    const passwordHash = await hashPassword(password);
    return this.database.change(context, async (manager) => {
      if ((await manager.count(Account)) > 0) return false;
      await insert(manager, username, passwordHash);
      return true;
    });
  }

  async usernames(): Promise<string[]> {
    const accounts = await this.database.read.find(Account, { order: { username: 'ASC' } });
    return accounts.map(({ username }) => username);
  }

  /** @throws RuleError notFound, conflict for the last one that can log in */
  async remove(context: ChangeContext, username: string): Promise<void> {
    await this.database.change(context, async (manager) => {
      const { _id } = await findByName(manager, username);
      const others = await manager.countBy(Account, { _id: Not(_id), passwordHash: Not('') });
      if (others === 0) throw new RuleError('conflict', accountMessages.lastAccount);
      await manager.delete(Account, { _id });
    });
    this.onChange();
  }
}

/** @throws RuleError notFound */
async function findByName(manager: EntityManager, username: string): Promise<Account> {
  const found = await manager.findOneBy(Account, { username: canonicalUsername(username) });
  if (!found) throw new RuleError('notFound', accountMessages.unknownUsername(username));
  return found;
}

const insert = (manager: EntityManager, username: string, passwordHash: string) =>
  manager.insert(Account, {
    _id: uuid(),
    username: canonicalUsername(username),
    passwordHash,
    tokenVersion: 1,
    createdAt: new Date().toISOString(),
  });
