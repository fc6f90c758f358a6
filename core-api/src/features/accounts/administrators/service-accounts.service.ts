import type { EntityManager } from 'typeorm';
import type { ChangeContext, Database } from '../../../platform/database/database';
import { requireRow } from '../../../platform/database/queries/require-row';
import { mapUniqueViolation } from '../../../platform/database/queries/unique-violation';
import { Account, createAccount } from '../account.entity';
import { accountMessages as messages } from '../accounts.messages';
import type { ServiceAccount, ServiceAccountBody, ServiceAccountChanges } from '../accounts.schema';
import type { AccountHooks } from '../accounts.service';
import { toStoredUsername } from '../username';

const toServiceAccount = ({ _id, username, role, projectIds, createdAt }: Account): ServiceAccount => ({
  _id,
  name: username,
  role,
  projects: projectIds,
  createdAt,
});

const mapNameConflict = (name: string) =>
  mapUniqueViolation({ 'accounts(username)': ['name', messages.nameTaken(name)] });

/** Accounts of programs. A program never logs in; it sends requests with API tokens. */
export class ServiceAccountsService {
  constructor(
    private readonly database: Database,
    private readonly hooks: AccountHooks,
    private readonly onChange: () => void,
  ) {}

  async list(): Promise<ServiceAccount[]> {
    const { read } = this.database;
    const accounts = await read.find(Account, { where: { kind: 'service' }, order: { username: 'ASC' } });
    return accounts.map(toServiceAccount);
  }

  /** Creates a service account. @throws RuleError invalid for an unknown project; conflict for a name in use */
  async create(context: ChangeContext, { name, role, projects }: ServiceAccountBody): Promise<ServiceAccount> {
    const username = toStoredUsername(name);
    const account = createAccount('service', username, { role, projectIds: projects });
    await this.database
      .serializedWrite(context, async (manager) => {
        await this.hooks.requireProjects(manager, projects ?? []);
        await manager.insert(Account, account);
      })
      .catch(mapNameConflict(username));
    return toServiceAccount(account);
  }

  /** Changes the fields that are present. @throws RuleError notFound, invalid; conflict for a new name in use */
  async update(
    context: ChangeContext,
    id: string,
    { name, role, projects }: ServiceAccountChanges,
  ): Promise<ServiceAccount> {
    const account = await this.database
      .serializedWrite(context, async (manager) => {
        const serviceAccount = await requireServiceAccount(manager, id);
        await this.hooks.requireProjects(manager, projects ?? []);
        const changes = {
          username: name === undefined ? serviceAccount.username : toStoredUsername(name),
          role: role ?? serviceAccount.role,
          projectIds: projects === undefined ? serviceAccount.projectIds : projects,
        };
        await manager.update(Account, { _id: id }, changes);
        return { ...serviceAccount, ...changes };
      })
      .catch(mapNameConflict(toStoredUsername(name ?? '')));
    this.onChange();
    return toServiceAccount(account);
  }

  /** Removes a service account with its tokens. @throws RuleError notFound */
  async remove(context: ChangeContext, id: string): Promise<void> {
    await this.database.serializedWrite(context, async (manager) => {
      await requireServiceAccount(manager, id);
      await this.hooks.removeTokens(manager, id);
      await manager.delete(Account, { _id: id });
    });
    this.onChange();
  }
}

const requireServiceAccount = (manager: EntityManager, _id: string): Promise<Account> =>
  requireRow(manager, Account, { _id, kind: 'service' }, messages.serviceAccountGone);
