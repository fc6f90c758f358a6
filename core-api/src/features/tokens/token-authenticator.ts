import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { type EntityManager, IsNull, LessThan } from 'typeorm';
import type { Database } from '../../platform/database/database';
import { RowCache } from '../../platform/database/queries/row-cache';
import { RuleError } from '../../platform/errors/rule-error';
import type { Principal } from '../../platform/http/access/authentication';
import { type AddressMatcher, compileAddressList } from '../../platform/net/address';
import { type Account, type AccountsService, toPrincipal } from '../accounts';
import { ApiToken } from './token.entity';
import { digestToken, isWellFormed } from './token-format';
import { tokenMessages as messages } from './tokens.messages';

const MAX_RECENT_IDS = 10_000;
/** Minimum interval between two writes of a token's `lastUsedAt`. */
const USE_INTERVAL_MS = 60_000;

interface KnownToken {
  token: ApiToken;
  account: Account;
  isAllowedIp: AddressMatcher;
}

/** The projects that both lists permit; null permits all. */
const intersectProjects = (a: readonly string[] | null, b: readonly string[] | null): readonly string[] | null =>
  a && b ? a.filter((id) => b.includes(id)) : (a ?? b);

/** @param digest digest of the presented value @throws RuleError unauthenticated for a disabled or expired token */
function requireValid(token: ApiToken, digest: string): void {
  if (token.disabled) throw new RuleError('unauthenticated', messages.disabled);
  const now = Date.now();
  const isOver = (end: string | null) => end !== null && Date.parse(end) <= now;
  const isPrevious = token.digest !== digest;
  if (isOver(token.expiresAt) || (isPrevious && isOver(token.previousExpiresAt)))
    throw new RuleError('unauthenticated', messages.expired);
}

/** Authenticates requests with an API token, and stores when each token was last used. */
export class TokenAuthenticator {
  private readonly cache = new RowCache<KnownToken>();
  /** Tokens whose use this process has written within `USE_INTERVAL_MS`. */
  private readonly recentlyWrittenIds = new LRUCache<string, true>({ max: MAX_RECENT_IDS, ttl: USE_INTERVAL_MS });

  constructor(
    private readonly database: Database,
    private readonly accounts: Pick<AccountsService, 'findById'>,
    private readonly log: Pick<Logger, 'warn'>,
  ) {}

  /** Empties the cache. Call it after a change of an account or a token. */
  readonly clear = this.cache.clear;

  /**
   * Returns the principal of a token.
   * @param manager if given, the token is read in its transaction and without the cache
   * @throws RuleError unauthenticated for an unknown, expired or disabled token
   */
  async authenticate(text: string, address: string, manager?: EntityManager): Promise<Principal> {
    const digest = digestToken(text);
    const find = () => this.findToken(manager ?? this.database.read, digest);
    const knownToken = isWellFormed(text) && (await (manager ? find() : this.cache.get(digest, find)));
    if (!knownToken) throw new RuleError('unauthenticated', messages.invalid);
    const { token, account, isAllowedIp } = knownToken;
    requireValid(token, digest);
    const permitsAddress = (from: string) => token.allowedIps.length === 0 || isAllowedIp(from);
    if (permitsAddress(address) && !manager) this.recordUse(token, address);
    const { _id, name, scopes, projectIds, site, expiresAt } = token;
    return {
      ...toPrincipal(account),
      projects: intersectProjects(account.projectIds, projectIds),
      session: null,
      token: { _id, name, scopes, projects: projectIds, site, expiresAt, permitsAddress },
    };
  }

  private async findToken(manager: EntityManager, digest: string): Promise<KnownToken | undefined> {
    const token = await manager.findOne(ApiToken, { where: [{ digest }, { previousDigest: digest }] });
    const account = token && (await this.accounts.findById(token.accountId, manager));
    return account ? { token, account, isAllowedIp: compileAddressList(token.allowedIps) } : undefined;
  }

  /** Stores the use in the background, because a read must succeed even if the database cannot be written. */
  private recordUse({ _id, lastUsedAt }: ApiToken, address: string): void {
    const now = Date.now();
    if (this.recentlyWrittenIds.has(_id) || (lastUsedAt && Date.parse(lastUsedAt) > now - USE_INTERVAL_MS)) return;
    this.recentlyWrittenIds.set(_id, true);
    const use = { lastUsedAt: new Date(now).toISOString(), lastUsedFrom: address.slice(0, 45) };
    const startOfInterval = new Date(now - USE_INTERVAL_MS).toISOString();
    this.database
      .concurrentWrite(async (manager) => {
        await manager.update(ApiToken, { _id, lastUsedAt: IsNull() }, use);
        await manager.update(ApiToken, { _id, lastUsedAt: LessThan(startOfInterval) }, use);
      })
      .catch((error: unknown) => this.log.warn({ err: error }, 'the use of a token was not stored'));
  }
}
