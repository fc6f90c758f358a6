import { createHash, randomBytes } from 'node:crypto';
import { MoreThan } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { takenAs } from '../database/conflicts';
import type { ChangeContext, Database } from '../database/source';
import { fieldError, RuleError } from '../errors';
import { networkOf } from '../rules/network';
import { Account } from './account.entity';
import { accountMessages as messages } from './accounts.messages';
import { type AccountsService, canonicalUsername } from './accounts.service';
import type { LoginLimits } from './login-limits';
import { hashPassword } from './passwords';
import { removeSecondFactor } from './second-factor';

/** How long a setup token may be used. */
const SETUP_MS = 24 * 3600 * 1000;
const TOKEN_BYTES = 32;

const digestOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/** A new setup token, and the columns that store its digest. */
function createSetup() {
  const setupToken = randomBytes(TOKEN_BYTES).toString('base64url');
  const setupEndsAt = new Date(Date.now() + SETUP_MS).toISOString();
  return { setupToken, columns: { setupDigest: digestOf(setupToken), setupEndsAt } };
}

interface Administrator {
  _id: string;
  username: string;
  createdAt: string;
  lastLoginAt: string | null;
  /** Logs in with a second factor. */
  totp: boolean;
}

const present = ({ _id, username, createdAt, lastLoginAt, totpSecret }: Account): Administrator => ({
  _id,
  username,
  createdAt,
  lastLoginAt,
  totp: totpSecret !== '',
});

interface Dependencies {
  database: Database;
  accounts: AccountsService;
  limits: LoginLimits;
  /** Called when an account has changed. */
  onChange: () => void;
}

/** Management of administrators: an invited one sets the password with a setup token that is shown once. */
export class AdministratorsService {
  constructor(private readonly deps: Dependencies) {}

  async list(): Promise<Administrator[]> {
    const accounts = await this.deps.database.read.find(Account, { order: { username: 'ASC' } });
    return accounts.map(present);
  }

  /** @throws RuleError conflict for a name that is taken */
  async invite(context: ChangeContext, name: string): Promise<Administrator & { setupToken: string }> {
    const username = canonicalUsername(name);
    const { setupToken, columns } = createSetup();
    const row = {
      _id: uuid(),
      username,
      passwordHash: '',
      tokenVersion: 1,
      ...columns,
      createdAt: new Date().toISOString(),
    };
    await this.deps.database
      .change(context, (manager) => manager.insert(Account, { ...row }))
      .catch(takenAs({ 'accounts(username)': ['username', messages.usernameTaken(username)] }));
    return { _id: row._id, username, createdAt: row.createdAt, lastLoginAt: null, totp: false, setupToken };
  }

  /** Ends the account's password, second factor and sessions at once, and gives a token for new ones. @throws RuleError notFound */
  async reset(context: ChangeContext, id: string): Promise<Administrator & { setupToken: string }> {
    const { setupToken, columns } = createSetup();
    const account = await this.deps.database.change(context, async (manager) => {
      const found = await manager.findOneBy(Account, { _id: id });
      if (!found) throw new RuleError('notFound', messages.accountGone);
      const tokenVersion = found.tokenVersion + 1;
      await manager.update(Account, { _id: id }, { ...columns, passwordHash: '', tokenVersion });
      await removeSecondFactor(manager, id);
      return { ...found, totpSecret: '' };
    });
    this.deps.onChange();
    return { ...present(account), setupToken };
  }

  /** Sets a password with a setup token. @throws RuleError invalid for one that is unknown, used or expired; tooMany */
  async setUp(context: Omit<ChangeContext, 'actor'>, token: string, password: string): Promise<void> {
    // Counted by address alone.
    const attempt = { username: '', network: networkOf(context.address), authenticated: true };
    await this.deps.limits.begin(attempt);
    const now = new Date().toISOString();
    const waiting = { setupDigest: digestOf(token), setupEndsAt: MoreThan(now) };
    const found = await this.deps.database.read.findOneBy(Account, waiting);
    if (!found) throw fieldError('invalid', 'token', messages.setupOver);
    const passwordHash = await hashPassword(password);
    await this.deps.database.change({ ...context, actor: found.username }, async (manager) => {
      const account = await manager.findOneBy(Account, { ...waiting, _id: found._id });
      if (!account) throw fieldError('invalid', 'token', messages.setupOver);
      const tokenVersion = account.tokenVersion + 1;
      const used = { setupDigest: null, setupEndsAt: null };
      await manager.update(Account, { _id: account._id }, { passwordHash, tokenVersion, ...used });
    });
    await this.deps.limits.succeed(attempt, found._id);
    this.deps.onChange();
  }

  /** @throws RuleError notFound; conflict for oneself and for the last one */
  async remove(context: ChangeContext, own: string, id: string): Promise<void> {
    if (own === id) throw new RuleError('conflict', messages.ownAccount);
    const found = await this.deps.database.read.findOneBy(Account, { _id: id });
    if (!found) throw new RuleError('notFound', messages.accountGone);
    await this.deps.accounts.remove(context, found.username);
  }
}
