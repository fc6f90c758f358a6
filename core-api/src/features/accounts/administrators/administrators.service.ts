import { hash, randomBytes } from 'node:crypto';
import { type EntityManager, MoreThan } from 'typeorm';
import type { ChangeContext, Database } from '../../../platform/database/database';
import { requireRow } from '../../../platform/database/queries/require-row';
import { mapUniqueViolation } from '../../../platform/database/queries/unique-violation';
import { createFieldError, RuleError } from '../../../platform/errors/rule-error';
import { toCustomerNetwork, toLimitKey } from '../../../platform/net/network';
import { DAY_MS, toIsoFromNow } from '../../../platform/time/relative-time';
import { Account, createAccount, NO_SETUP_TOKEN } from '../account.entity';
import { accountMessages as messages } from '../accounts.messages';
import type { Administrator, Invitation, Rights } from '../accounts.schema';
import {
  type AccountHooks,
  type AccountsService,
  refuseUsernameAsPassword,
  requireOtherAdministrator,
} from '../accounts.service';
import type { LoginLimits } from '../logins/login-limits';
import { hashPassword } from '../passwords/passwords';
import { removeSecondFactor } from '../second-factor/second-factor';
import { toStoredUsername } from '../username';

const SETUP_TOKEN_TTL_MS = DAY_MS;
const TOKEN_BYTES = 32;

/** A new setup token with the columns that store its digest and its end. */
function createSetupToken() {
  const setupToken = randomBytes(TOKEN_BYTES).toString('base64url');
  const setupEndsAt = toIsoFromNow(SETUP_TOKEN_TTL_MS);
  return { setupToken, columns: { setupDigest: hash('sha256', setupToken), setupEndsAt } };
}

const toAdministrator = (account: Account): Administrator => ({
  _id: account._id,
  username: account.username,
  createdAt: account.createdAt,
  lastLoginAt: account.lastLoginAt,
  totp: account.totpSecret !== '',
  invitedUntil: account.setupEndsAt,
  role: account.role,
  projects: account.projectIds,
});

interface AdministratorsOptions {
  database: Database;
  accounts: AccountsService;
  limits: LoginLimits;
  hooks: AccountHooks;
  onChange: () => void;
}

/** Invites, changes and removes administrators. A setup token lets the invited person set a password. */
export class AdministratorsService {
  constructor(private readonly options: AdministratorsOptions) {}

  async list(): Promise<Administrator[]> {
    const { read } = this.options.database;
    const accounts = await read.find(Account, { where: { kind: 'person' }, order: { username: 'ASC' } });
    return accounts.map(toAdministrator);
  }

  /** Creates an account with no password. @throws RuleError invalid for unknown projects; conflict for a taken name */
  async invite(
    context: ChangeContext,
    name: string,
    { role = 'administrator', projects = null }: Rights = {},
  ): Promise<Invitation> {
    const username = toStoredUsername(name);
    const { setupToken, columns } = createSetupToken();
    const row = { ...createAccount('person', username, { role, projectIds: projects }), ...columns };
    await this.options.database
      .serializedWrite(context, async (manager) => {
        await this.options.hooks.requireProjects(manager, projects ?? []);
        await manager.insert(Account, row);
      })
      .catch(mapUniqueViolation({ 'accounts(username)': ['username', messages.usernameTaken(username)] }));
    return { ...toAdministrator(row), setupToken };
  }

  /** Changes role and projects. @throws RuleError notFound, invalid, conflict for the last administrator */
  async update(context: ChangeContext, id: string, { role, projects }: Rights): Promise<Administrator> {
    const account = await this.options.database.serializedWrite(context, async (manager) => {
      const person = await requirePerson(manager, id);
      await this.options.hooks.requireProjects(manager, projects ?? []);
      const rights = { role: role ?? person.role, projectIds: projects === undefined ? person.projectIds : projects };
      if (rights.role !== 'administrator' || rights.projectIds) await requireOtherAdministrator(manager, person);
      await manager.update(Account, { _id: id }, rights);
      return { ...person, ...rights };
    });
    this.options.onChange();
    return toAdministrator(account);
  }

  /**
   * Removes the account's password, second factor and API tokens, ends its sessions, and returns a new setup token.
   * @throws RuleError notFound; conflict for the caller's own account
   */
  async reset(context: ChangeContext, { id, callerId }: { id: string; callerId: string }): Promise<Invitation> {
    const { setupToken, columns } = createSetupToken();
    const account = await this.options.database.serializedWrite(context, async (manager) => {
      const person = await requirePerson(manager, id);
      if (person._id === callerId) throw new RuleError('conflict', messages.ownReset);
      const tokenVersion = person.tokenVersion + 1;
      await manager.update(Account, { _id: id }, { ...columns, passwordHash: '', tokenVersion });
      await removeSecondFactor(manager, id);
      await this.options.hooks.removeTokens(manager, id);
      await this.options.hooks.removeUploads(manager, id);
      return { ...person, ...columns, totpSecret: '' };
    });
    this.options.onChange();
    return { ...toAdministrator(account), setupToken };
  }

  /** Sets a password with a setup token. @throws RuleError invalid for an unknown, used or expired token; tooMany */
  async setUp(context: Omit<ChangeContext, 'actor'>, token: string, password: string): Promise<void> {
    // The request names no account. `isAuthenticated` leaves out the limits that apply to unknown networks only.
    const { address } = context;
    const attempt = {
      username: '',
      network: toLimitKey(address),
      customerNetwork: toCustomerNetwork(address),
      isAuthenticated: true,
    };
    await this.options.limits.countAttempt(attempt);
    const now = new Date().toISOString();
    const validToken = { setupDigest: hash('sha256', token), setupEndsAt: MoreThan(now) };
    const invitedAccount = await this.options.database.read.findOneBy(Account, validToken);
    if (!invitedAccount) throw createFieldError('invalid', 'token', messages.setupOver);
    refuseUsernameAsPassword('password', password, invitedAccount.username);
    const passwordHash = await hashPassword(password);
    await this.options.database.serializedWrite({ ...context, actor: invitedAccount.username }, async (manager) => {
      const account = await manager.findOneBy(Account, { ...validToken, _id: invitedAccount._id });
      if (!account) throw createFieldError('invalid', 'token', messages.setupOver);
      const tokenVersion = account.tokenVersion + 1;
      await manager.update(Account, { _id: account._id }, { passwordHash, tokenVersion, ...NO_SETUP_TOKEN });
    });
    await this.options.limits.recordSuccess(attempt, invitedAccount._id);
    this.options.onChange();
  }

  /** Removes an account. @throws RuleError notFound; conflict for the caller's own account and the last administrator */
  async remove(context: ChangeContext, { id, callerId }: { id: string; callerId: string }): Promise<void> {
    if (callerId === id) throw new RuleError('conflict', messages.ownAccount);
    const { username } = await requirePerson(this.options.database.read, id);
    await this.options.accounts.remove(context, username);
  }
}

/** Finds the account of a person. @throws RuleError notFound, even for the id of a service account */
const requirePerson = (manager: EntityManager, _id: string): Promise<Account> =>
  requireRow(manager, Account, { _id, kind: 'person' }, messages.accountGone);
