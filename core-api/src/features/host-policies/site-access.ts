import express, { Router } from 'express';
import type { Database } from '../../platform/database/database';
import { CALL_BUDGET_MS, withTimeBudget } from '../../platform/database/deadline';
import { RuleError } from '../../platform/errors';
import { isFromTrustedPeer } from '../../platform/http/request-logging';
import { parseHostHeader } from '../../platform/net/hostname';
import { toCustomerNetwork, toNetwork } from '../../platform/net/network';
import { ACCESS_COOKIE, createAccessCookie } from '../../routing/hosts/access-cookie';
import { createHostClassifier } from '../../routing/hosts/host-router';
import { toWildcard } from '../../routing/hosts/site-domains';
import { type LoginLimits, passwordMatches, withHashingSlot } from '../accounts';
import { policyMessages as messages } from './host-policies.messages';
import { HostPolicyRow } from './host-policy.entity';

const COOKIE_DAYS = 7;
const DAY_S = 24 * 3600;
const BODY_OPTIONS = { limit: '8kb', inflate: false };

/** A password that a client at `address` gave for a host. */
export interface PasswordAttempt {
  host: string;
  password: string;
  address: string;
}

interface SitePassword {
  /** Id of the site, for which failed attempts are counted. */
  siteId: string;
  passwordHash: string;
  passwordKey: Buffer;
}

/** Selects the claim of a host, with the password of its preview and the project of its tenant. */
const PASSWORD_SQL = `SELECT c."subdomainId", c."tenantId", c."versionId",
    v."previewPasswordHash", v."previewPasswordKey", t."projectId"
  FROM host_claims AS c LEFT JOIN site_versions AS v ON v._id = c."versionId" LEFT JOIN tenants AS t ON t._id = c."tenantId"
  WHERE c.host = $1`;

interface ClaimRow {
  subdomainId: string | null;
  tenantId: string | null;
  versionId: string | null;
  previewPasswordHash: string | null;
  previewPasswordKey: string | null;
  projectId: string | null;
}

/** Verifies passwords of hosts, because argon2 would block the workers of the edge. The database counts failures. */
export class SiteAccessService {
  private readonly classify: ReturnType<typeof createHostClassifier>;

  constructor(
    private readonly database: Database,
    private readonly limits: LoginLimits,
    { BASE_DOMAIN, SITES_DOMAIN }: { BASE_DOMAIN: string; SITES_DOMAIN: string },
  ) {
    this.classify = createHostClassifier(BASE_DOMAIN, SITES_DOMAIN);
  }

  /**
   * Verifies the password of a host. Failures are limited like those of a login.
   * @returns the value of the host's cookie; undefined for a wrong password and for a host without a password
   * @throws RuleError tooMany
   */
  async createCookie({ host, password, address }: PasswordAttempt): Promise<string | undefined> {
    const sitePassword = await this.findPassword(host);
    if (!sitePassword) return undefined;
    const networks = { network: toNetwork(address), customerNetwork: toCustomerNetwork(address) };
    // Usernames contain no space, so no account has this name.
    const attempt = { username: `site ${sitePassword.siteId}`, ...networks, isSitePassword: true };
    const isKnown = await this.limits.check(attempt);
    return withHashingSlot({ network: attempt.network, isKnown }, async () => {
      await this.limits.countAttempt(attempt);
      if (!(await passwordMatches(sitePassword.passwordHash, password))) return undefined;
      await this.limits.retract(attempt);
      return createAccessCookie(sitePassword.passwordKey, host, Date.now() + COOKIE_DAYS * DAY_S * 1000);
    });
  }

  /** Compares a password for a test of a host. Too many failures count as a wrong password. */
  async isCorrectPassword(attempt: PasswordAttempt): Promise<boolean> {
    const cookie = await this.createCookie(attempt).catch(toTooMany);
    return typeof cookie === 'string';
  }

  private async findPassword(hostHeader: string): Promise<SitePassword | undefined> {
    const hostClass = this.classify(parseHostHeader(hostHeader));
    if (hostClass.kind !== 'claimable') return undefined;
    const { name } = hostClass;
    const { read } = this.database;
    const domain = name.startsWith('www.') ? name.slice('www.'.length) : [];
    for (const claimedName of [name, domain, toWildcard(name) ?? []].flat()) {
      const [claim] = await read.query<ClaimRow[]>(PASSWORD_SQL, [claimedName]);
      if (!claim) continue;
      const { previewPasswordHash, previewPasswordKey, versionId, subdomainId, tenantId, projectId } = claim;
      if (versionId !== null) return toSitePassword(versionId, previewPasswordHash, previewPasswordKey);
      // The project's rule applies to a site that has no access rule.
      const row = (await this.findAccessRule(subdomainId ?? tenantId)) ?? (await this.findAccessRule(projectId));
      if (row) return toSitePassword(row._id, row.passwordHash, row.passwordKey);
    }
    return undefined;
  }

  private async findAccessRule(siteId: string | null): Promise<HostPolicyRow | undefined> {
    const row = siteId === null ? null : await this.database.read.findOneBy(HostPolicyRow, { _id: siteId });
    return row && row.access !== null ? row : undefined;
  }
}

/** Returns an error of too many attempts, and throws any other error. */
function toTooMany(error: unknown): RuleError {
  if (error instanceof RuleError && error.kind === 'tooMany') return error;
  throw error;
}

const toSitePassword = (
  siteId: string,
  passwordHash: string | null,
  passwordKey: string | null,
): SitePassword | undefined =>
  passwordHash === null || passwordKey === null
    ? undefined
    : { siteId, passwordHash, passwordKey: Buffer.from(passwordKey, 'hex') };

/** Returns a path of the same site. Any other text becomes the start page. */
const toOwnPath = (to: unknown): string => (typeof to === 'string' && /^\/(?![/\\])[\x21-\x7e]*$/.test(to) ? to : '/');

const addResult = (path: string, result: string): string =>
  `${path}${path.includes('?') ? '&' : '?'}studio-access=${result}`;

/** The calls with which the edge asks the core to compare passwords. They are not part of the REST API. */
export function createSiteAccessRouter(access: SiteAccessService): Router {
  const router = Router();
  router.use('/site-access', (request, response, next) => {
    // Only the edge, the one trusted peer, may state the host and the client address.
    if (isFromTrustedPeer(request)) next();
    else response.status(404).end();
  });
  router.post('/site-access', express.urlencoded({ ...BODY_OPTIONS, extended: false }), async (request, response) => {
    const { password, to } = request.body ?? {};
    const path = toOwnPath(to);
    response.set('Cache-Control', 'no-store');
    const text = typeof password === 'string' ? password : '';
    const attempt = { host: request.host ?? '', password: text, address: request.ip ?? '' };
    const cookie = await withTimeBudget(CALL_BUDGET_MS, () => access.createCookie(attempt)).catch(toTooMany);
    if (cookie === undefined) response.redirect(303, addResult(path, 'wrong'));
    else if (cookie instanceof RuleError) response.redirect(303, addResult(path, 'limited'));
    else {
      const attributes = `Path=/; Max-Age=${COOKIE_DAYS * DAY_S}; Secure; HttpOnly; SameSite=Lax`;
      response.set('Set-Cookie', `${ACCESS_COOKIE}=${cookie}; ${attributes}`);
      response.redirect(303, path);
    }
  });
  router.post('/site-access/verify', express.json(BODY_OPTIONS), async (request, response) => {
    const { host, password } = request.body ?? {};
    if (typeof host !== 'string' || typeof password !== 'string')
      throw new RuleError('invalid', messages.wrongPassword);
    const attempt = { host, password, address: request.ip ?? '' };
    const cookie = await withTimeBudget(CALL_BUDGET_MS, () => access.createCookie(attempt));
    response.status(cookie === undefined ? 401 : 204).end();
  });
  return router;
}
