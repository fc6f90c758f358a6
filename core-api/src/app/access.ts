import { type EntityManager, In } from 'typeorm';
import type { Account } from '../features/accounts/account.entity';
import { accountMessages } from '../features/accounts/accounts.messages';
import { accountEndpoints } from '../features/accounts/accounts.routes';
import { type AccountHooks, AccountsService } from '../features/accounts/accounts.service';
import {
  administratorEndpoints,
  serviceAccountEndpoints,
} from '../features/accounts/administrators/administrators.routes';
import { AdministratorsService } from '../features/accounts/administrators/administrators.service';
import { ServiceAccountsService } from '../features/accounts/administrators/service-accounts.service';
import { GuessLimits } from '../features/accounts/logins/guess-limits';
import { LoginLimits } from '../features/accounts/logins/login-limits';
import { LoginRecord } from '../features/accounts/logins/login-record';
import { FirstPassword } from '../features/accounts/passwords/first-password';
import { SecondFactor } from '../features/accounts/second-factor/second-factor';
import { SessionTokens } from '../features/accounts/sessions/session-tokens';
import { SessionsService } from '../features/accounts/sessions/sessions.service';
import { SudoService } from '../features/accounts/sessions/sudo.service';
import { Project } from '../features/projects/project.entity';
import { removeUploads } from '../features/sites/uploads.service';
import { Subdomain } from '../features/subdomains/subdomain.entity';
import { Tenant } from '../features/tenants/tenant.entity';
import { TokenAuthenticator } from '../features/tokens/token-authenticator';
import { isApiToken } from '../features/tokens/token-format';
import { tokenEndpoints } from '../features/tokens/tokens.routes';
import type { SiteBody } from '../features/tokens/tokens.schema';
import { removeTokens, TokensService } from '../features/tokens/tokens.service';
import type { Config } from '../platform/config/config';
import type { Database } from '../platform/database/database';
import { RowCache } from '../platform/database/queries/row-cache';
import { createFieldError } from '../platform/errors/rule-error';
import { type AccessControl, createBearerAuthentication } from '../platform/http/access/authentication';
import type { AppContext } from './app-context';

/** Finds the site that a token with the scope `deploy` may publish. */
async function findSite(manager: EntityManager, { type, id = '', label }: SiteBody) {
  if (type === 'subdomain') {
    const row = await manager.findOneBy(Subdomain, label ? { subdomain: label } : { _id: id });
    return row ? { site: { type, id: row._id, label: row.subdomain }, projectId: null } : undefined;
  }
  if (type === 'tenant') {
    const row = await manager.findOneBy(Tenant, { _id: id });
    return row ? { site: { type, id: row._id, label: row.subdomain }, projectId: row.projectId } : undefined;
  }
  const project = await manager.findOneBy(Project, { _id: id });
  return project ? { site: { type, id: project._id }, projectId: project._id } : undefined;
}

async function requireProjects(manager: EntityManager, ids: readonly string[]): Promise<void> {
  if ((await manager.countBy(Project, { _id: In([...ids]) })) < new Set(ids).size)
    throw createFieldError('invalid', 'projects', accountMessages.unknownProject);
}

export const accountHooks: AccountHooks = { removeTokens, removeUploads, requireProjects };

/** Creates the service of API tokens, for the server and for `npm run admin -- token`. */
export function createTokensService(
  database: Database,
  accounts: AccountsService,
  onChange: () => void,
  { TOKEN_MAX_DAYS }: Pick<Config, 'TOKEN_MAX_DAYS'>,
): TokensService {
  return new TokensService({
    database,
    accounts,
    requireProjects,
    createSiteLookup: (manager) => (site) => findSite(manager, site),
    maxDays: TOKEN_MAX_DAYS,
    onChange,
  });
}

/** Composes accounts, sessions and API tokens, which authenticate and authorize requests. */
export function createAccess({ config, secrets, database, log }: AppContext) {
  const firstPassword = new FirstPassword(config.DATA_DIR);
  const accountCache = new RowCache<Account>();
  const onChange = () => {
    accountCache.clear();
    authenticator.clear();
  };
  const accounts = new AccountsService(database, firstPassword, accountHooks, onChange);
  const authenticator = new TokenAuthenticator(database, accounts, log);
  const tokens = createTokensService(database, accounts, () => authenticator.clear(), config);
  const limits = new LoginLimits(database);
  const guessLimits = new GuessLimits(database);
  const secondFactor = new SecondFactor(database, secrets.settings, config.BRAND_NAME, guessLimits);
  const loginRecord = new LoginRecord(database);
  const sudo = new SudoService({ database, guesses: guessLimits, secondFactor, loginRecord, ttlS: config.SUDO_TTL });
  const sessions = new SessionsService({
    database,
    accounts,
    accountCache,
    limits,
    guesses: guessLimits,
    secondFactor,
    firstPassword,
    loginRecord,
    sudo,
    tokens: new SessionTokens(secrets.jwt, config.JWT_TTL),
    log,
  });
  const administrators = new AdministratorsService({ database, accounts, limits, hooks: accountHooks, onChange });
  const serviceAccounts = new ServiceAccountsService(database, accountHooks, onChange);
  const accessControl: AccessControl = {
    authenticate: createBearerAuthentication((token, address, manager) =>
      isApiToken(token) ? authenticator.authenticate(token, address, manager) : sessions.findByToken(token, manager),
    ),
    hasSudo: async (session) => (await sudo.find(session)) !== null,
  };
  return {
    accounts,
    firstPassword,
    tokens,
    accessControl,
    endpoints: [
      ...accountEndpoints({ accounts, sessions, secondFactor, sudo, loginRecord }),
      ...administratorEndpoints(administrators),
      ...serviceAccountEndpoints(serviceAccounts),
      ...tokenEndpoints(tokens),
    ],
  };
}
