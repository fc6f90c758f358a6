import { Between, type EntityManager, MoreThan } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { editRow } from '../../platform/database/changes/apply-changes';
import type { ProjectLimit } from '../../platform/database/changes/change-context';
import type { ChangeContext, Database } from '../../platform/database/database';
import { mapUniqueViolation } from '../../platform/database/queries/unique-violation';
import { createFieldError, RuleError } from '../../platform/errors/rule-error';
import type { RequiredAccess } from '../../platform/http/access/access';
import type { Principal } from '../../platform/http/access/authentication';
import { requireAllProjects } from '../../platform/http/access/authorization';
import { DAY_MS, toIsoFromNow } from '../../platform/time/relative-time';
import type { Account, AccountsService } from '../accounts';
import { ApiToken } from './token.entity';
import { checkExpiry, type FindSite, findChangedSite, findDeploySite } from './token-checks';
import { createTokenText, digestToken, toTokenPrefix } from './token-format';
import { tokenMessages as messages } from './tokens.messages';
import type { CreatedToken, TokenBody, TokenChanges, TokenResponse } from './tokens.schema';

/** The overview lists tokens that expire within this time. */
const EXPIRING_MS = 14 * DAY_MS;

/** Maximum number of tokens of one account, so that one person cannot fill the database. */
const MAX_TOKENS = 200;

/** The access that a caller needs to list or create tokens of other accounts. */
const ADMINISTRATION: RequiredAccess = { role: 'administrator', scope: null };

interface TokensOptions {
  database: Database;
  accounts: Pick<AccountsService, 'findById'>;
  /** Checks that all projects exist. @throws RuleError invalid for an unknown project */
  requireProjects: (manager: EntityManager, ids: readonly string[]) => Promise<void>;
  createSiteLookup: (manager: EntityManager) => FindSite;
  /** The longest life of a token in days; 0 permits tokens without an expiry. */
  maxDays: number;
  onChange: () => void;
}

const toTokenResponse = (
  { accountId: _accountId, projectIds, digest: _digest, previousDigest: _previousDigest, ...token }: ApiToken,
  { _id, username, kind }: Account,
): TokenResponse => ({ ...token, projects: projectIds, account: { _id, username, kind } });

const mapNameConflict = (name = '') =>
  mapUniqueViolation({ 'api_tokens(accountId, name)': ['name', messages.nameTaken(name)] });

export class TokensService {
  constructor(private readonly options: TokensOptions) {}

  /** Lists an account's tokens by name. Other accounts' tokens require `ADMINISTRATION`. @throws RuleError forbidden */
  async list(principal: Principal, accountId = principal._id): Promise<TokenResponse[]> {
    if (accountId !== principal._id) requireAllProjects(principal, ADMINISTRATION);
    const account = await this.options.accounts.findById(accountId);
    if (!account) return [];
    const tokens = await this.options.database.read.find(ApiToken, { where: { accountId }, order: { name: 'ASC' } });
    return tokens.map((token) => toTokenResponse(token, account));
  }

  exists(id: string): Promise<boolean> {
    return this.options.database.read.existsBy(ApiToken, { _id: id });
  }

  /** Lists enabled tokens that expire before `before` and were used since `usedSince`, both ISO 8601 UTC. */
  listExpiringInUse(before: string, usedSince: string): Promise<Pick<ApiToken, '_id' | 'name' | 'expiresAt'>[]> {
    return this.options.database.read.findBy(ApiToken, {
      disabled: false,
      expiresAt: Between(new Date().toISOString(), before),
      lastUsedAt: MoreThan(usedSince),
    });
  }

  /** Lists tokens that expire within 14 days. Administrators of all projects get every token, others their own. */
  async listExpiringSoon({ _id, role, projects }: Principal): Promise<{ id: string; name: string }[]> {
    const where = role === 'administrator' && !projects ? {} : { accountId: _id };
    const tokens = await this.options.database.read.find(ApiToken, {
      where: { ...where, disabled: false, expiresAt: Between(toIsoFromNow(0), toIsoFromNow(EXPIRING_MS)) },
      order: { expiresAt: 'ASC' },
    });
    return tokens.map(({ _id: id, name }) => ({ id, name }));
  }

  /** Creates a token. @throws RuleError invalid; forbidden; conflict for a name in use and beyond 200 tokens */
  async create(
    context: ChangeContext,
    principal: Principal,
    { account: accountId, ...body }: TokenBody,
  ): Promise<CreatedToken> {
    if (accountId && accountId !== principal._id) requireAllProjects(principal, ADMINISTRATION);
    return this.createFor(context, accountId ?? principal._id, body, principal.projects);
  }

  /** Creates a token for any account. @param permittedProjects projects that the creator may name; null for all */
  async createFor(
    context: ChangeContext,
    accountId: string,
    { site, projects, ...body }: Omit<TokenBody, 'account'>,
    permittedProjects: ProjectLimit = null,
  ): Promise<CreatedToken> {
    checkExpiry(body.expiresAt, this.options.maxDays);
    return this.options.database
      .serializedWrite(context, async (manager) => {
        const findSite = this.options.createSiteLookup(manager);
        const deploySite = await findDeploySite(findSite, { ...body, site }, permittedProjects);
        const account = await this.options.accounts.findById(accountId, manager);
        if (!account) throw createFieldError('invalid', 'account', messages.unknownAccount);
        await this.checkProjects(manager, projects, permittedProjects);
        if ((await manager.countBy(ApiToken, { accountId })) >= MAX_TOKENS)
          throw new RuleError('conflict', messages.tooMany(MAX_TOKENS));
        const text = createTokenText(account.kind);
        const row: ApiToken = {
          _id: uuid(),
          accountId,
          ...body,
          projectIds: projects,
          site: deploySite,
          prefix: toTokenPrefix(text),
          digest: digestToken(text),
          disabled: false,
          previousDigest: null,
          previousExpiresAt: null,
          lastUsedAt: null,
          lastUsedFrom: null,
          createdAt: new Date().toISOString(),
          version: 1,
        };
        await manager.insert(ApiToken, row);
        return { ...toTokenResponse(row, account), token: text };
      })
      .catch(mapNameConflict(body.name));
  }

  /** Changes the fields that are present. @throws RuleError notFound, invalid, conflict, stale */
  async update(
    context: ChangeContext,
    principal: Principal,
    id: string,
    { site, projects, ...changes }: TokenChanges,
  ): Promise<TokenResponse> {
    const { expiresAt } = changes;
    const updatedToken = await this.options.database
      .serializedWrite(context, async (manager) => {
        const stored = await this.findManagedToken(manager, principal, id);
        if (expiresAt !== undefined && expiresAt !== stored.expiresAt) checkExpiry(expiresAt, this.options.maxDays);
        const findSite = this.options.createSiteLookup(manager);
        const deploySite = await findChangedSite(findSite, stored, { ...changes, site }, principal.projects);
        await this.checkProjects(manager, projects, principal.projects);
        const row = editRow(stored, { ...changes, projectIds: projects, site: deploySite }, context);
        await manager.update(ApiToken, { _id: id }, row);
        return row;
      })
      .catch(mapNameConflict(changes.name));
    this.options.onChange();
    return this.toResponse(updatedToken);
  }

  /** Replaces the secret. The old secret stays valid for the grace period. @throws RuleError notFound */
  async rotate(context: ChangeContext, principal: Principal, id: string, graceSeconds: number): Promise<CreatedToken> {
    const { row, token } = await this.options.database.serializedWrite(context, async (manager) => {
      const stored = await this.findManagedToken(manager, principal, id);
      const account = await this.options.accounts.findById(stored.accountId, manager);
      const text = createTokenText(account?.kind ?? 'person');
      const isKept = graceSeconds > 0;
      const previousExpiresAt = isKept ? toIsoFromNow(graceSeconds * 1000) : null;
      const previous = { previousDigest: isKept ? stored.digest : null, previousExpiresAt };
      const newRow = editRow(stored, { ...previous, prefix: toTokenPrefix(text), digest: digestToken(text) }, context);
      await manager.update(ApiToken, { _id: id }, newRow);
      return { row: newRow, token: text };
    });
    this.options.onChange();
    return { ...(await this.toResponse(row)), token };
  }

  async remove(context: ChangeContext, principal: Principal, id: string): Promise<void> {
    await this.options.database.serializedWrite(context, async (manager) => {
      await this.findManagedToken(manager, principal, id);
      await manager.delete(ApiToken, { _id: id });
    });
    this.options.onChange();
  }

  private async toResponse(row: ApiToken): Promise<TokenResponse> {
    const account = await this.options.accounts.findById(row.accountId);
    if (!account) throw new RuleError('notFound', messages.notFound);
    return toTokenResponse(row, account);
  }

  /** Finds the caller's own token, or any token for an administrator of all projects. @throws RuleError notFound */
  private async findManagedToken(manager: EntityManager, principal: Principal, id: string): Promise<ApiToken> {
    const token = await manager.findOneBy(ApiToken, { _id: id });
    const mayManageAll = principal.role === 'administrator' && !principal.projects;
    if (!token || !(token.accountId === principal._id || mayManageAll))
      throw new RuleError('notFound', messages.notFound);
    return token;
  }

  private async checkProjects(manager: EntityManager, projects: ProjectLimit, permitted: ProjectLimit): Promise<void> {
    if (!projects) return;
    await this.options.requireProjects(manager, projects);
    if (permitted && projects.some((id) => !permitted.includes(id)))
      throw createFieldError('invalid', 'projects', messages.unknownProject);
  }
}

/** Removes the tokens of an account, in the transaction that resets or removes the account. */
export async function removeTokens(manager: EntityManager, accountId: string): Promise<void> {
  await manager.delete(ApiToken, { accountId });
}
