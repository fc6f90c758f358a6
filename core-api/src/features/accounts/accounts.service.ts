import { type EntityManager, IsNull, Not } from 'typeorm';
import type { ChangeContext, Database } from '../../platform/database/database';
import { requireRow } from '../../platform/database/queries/require-row';
import { mapUniqueViolation } from '../../platform/database/queries/unique-violation';
import { createFieldError, RuleError } from '../../platform/errors/rule-error';
import { httpMessages } from '../../platform/http/http.messages';
import { Account, createAccount, NO_SETUP_TOKEN } from './account.entity';
import { accountMessages } from './accounts.messages';
import type { FirstPassword } from './passwords/first-password';
import { equalsUsername } from './passwords/password-policy';
import { hashPassword } from './passwords/passwords';
import { removeSecondFactor } from './second-factor/second-factor';
import { toStoredUsername } from './username';

/** The fields of a principal that come from its account. */
export const toPrincipal = ({ _id, username, kind, role, projectIds }: Account) => ({
  _id,
  username,
  kind,
  role,
  projects: projectIds,
});

/** Functions of other features, called in the transaction that changes an account. */
export interface AccountHooks {
  /** Called when the account is removed or reset. */
  removeTokens(manager: EntityManager, accountId: string): Promise<void>;
  /** Called when all sessions of the account are ended together. */
  removeUploads(manager: EntityManager, accountId: string): Promise<void>;
  /** Checks that all projects exist. @throws RuleError invalid otherwise */
  requireProjects(manager: EntityManager, ids: readonly string[]): Promise<void>;
}

export class AccountsService {
  constructor(
    private readonly database: Database,
    private readonly firstPassword: FirstPassword,
    private readonly hooks: AccountHooks,
    private readonly onChange: () => void,
  ) {}

  async hasSecondFactor(_id: string): Promise<boolean> {
    return Boolean((await this.findById(_id))?.totpSecret);
  }

  findById(_id: string, manager = this.database.read): Promise<Account | null> {
    return manager.findOneBy(Account, { _id });
  }

  /** Sets a password and ends all sessions. @returns the new `tokenVersion`. @throws RuleError notFound, invalid */
  async setPassword(
    context: ChangeContext,
    username: string,
    password: string,
    { secondFactor = 'kept' }: { secondFactor?: 'kept' | 'removed' } = {},
  ): Promise<number> {
    refuseUsernameAsPassword('newPassword', password, username);
    const passwordHash = await hashPassword(password);
    const version = await this.database.serializedWrite(context, async (manager) => {
      const { _id, tokenVersion } = await requireByName(manager, username);
      await manager.update(Account, { _id }, { passwordHash, tokenVersion: tokenVersion + 1, ...NO_SETUP_TOKEN });
      await this.hooks.removeUploads(manager, _id);
      if (secondFactor === 'removed') await removeSecondFactor(manager, _id);
      return tokenVersion + 1;
    });
    this.onChange();
    this.firstPassword.remove();
    return version;
  }

  /** Creates an administrator. @throws RuleError invalid for the username as password; conflict for a taken username */
  async create(context: ChangeContext, username: string, password: string): Promise<void> {
    refuseUsernameAsPassword('password', password, username);
    const passwordHash = await hashPassword(password);
    await this.database
      .serializedWrite(context, (manager) => insertAdministrator(manager, username, passwordHash))
      .catch(mapUniqueViolation({ 'accounts(username)': ['username', accountMessages.usernameTaken(username)] }));
  }

  /** Creates an administrator only if no account exists. @returns whether the administrator was created */
  async createFirst(context: ChangeContext, username: string, password: string): Promise<boolean> {
    const passwordHash = await hashPassword(password);
    return this.database.serializedWrite(context, async (manager) => {
      if ((await manager.count(Account)) > 0) return false;
      await insertAdministrator(manager, username, passwordHash);
      return true;
    });
  }

  async listUsernames(): Promise<string[]> {
    const accounts = await this.database.read.find(Account, { where: { kind: 'person' }, order: { username: 'ASC' } });
    return accounts.map(({ username }) => username);
  }

  /** The id of a person or a service account. @throws RuleError notFound */
  async getIdByUsername(username: string): Promise<string> {
    const where = { username: toStoredUsername(username) };
    return (await requireRow(this.database.read, Account, where, accountMessages.unknownAccount(username)))._id;
  }

  /** Removes an account with its tokens and uploads. @throws RuleError notFound, conflict for the last administrator */
  async remove(context: ChangeContext, username: string): Promise<void> {
    await this.database.serializedWrite(context, async (manager) => {
      const account = await requireByName(manager, username);
      await requireOtherAdministrator(manager, account);
      await this.hooks.removeTokens(manager, account._id);
      await this.hooks.removeUploads(manager, account._id);
      await manager.delete(Account, { _id: account._id });
    });
    this.onChange();
  }
}

/** The account of a session. @throws RuleError unauthenticated if the account was removed during the request */
export async function requireSessionAccount(manager: EntityManager, _id: string): Promise<Account> {
  const account = await manager.findOneBy(Account, { _id });
  if (!account) throw new RuleError('unauthenticated', httpMessages.unauthenticated);
  return account;
}

/**
 * Checks that an administrator remains. Call it in the transaction that removes or demotes an account.
 * @throws RuleError conflict if no other account could administer the installation
 */
export async function requireOtherAdministrator(manager: EntityManager, { _id }: Account): Promise<void> {
  const fullAdministrator = {
    kind: 'person',
    role: 'administrator',
    passwordHash: Not(''),
    projectIds: IsNull(),
  } as const;
  const hasOther = await manager.existsBy(Account, { ...fullAdministrator, _id: Not(_id) });
  if (!hasOther) throw new RuleError('conflict', accountMessages.lastAccount);
}

const requireByName = (manager: EntityManager, username: string): Promise<Account> =>
  requireRow(
    manager,
    Account,
    { username: toStoredUsername(username), kind: 'person' },
    accountMessages.unknownUsername(username),
  );

async function insertAdministrator(manager: EntityManager, username: string, passwordHash: string): Promise<void> {
  const account = createAccount('person', toStoredUsername(username), { role: 'administrator', projectIds: null });
  await manager.insert(Account, { ...account, passwordHash });
}

export function refuseUsernameAsPassword(field: string, password: string, username: string): void {
  if (equalsUsername(password, username)) throw createFieldError('invalid', field, accountMessages.newPasswordUsername);
}
