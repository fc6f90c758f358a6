import type { Database } from '../../platform/database/database';
import { RuleError } from '../../platform/errors/rule-error';
import { parseHostHeader } from '../../platform/net/hostname';
import { toCustomerNetwork, toLimitKey } from '../../platform/net/network';
import { createAccessCookie } from '../../routing/hosts/access-cookie';
import { createHostClassifier } from '../../routing/hosts/host-router';
import { toWildcard } from '../../routing/hosts/site-domains';
import { type LoginLimits, passwordMatches, withHashingSlot } from '../accounts';
import { HostPolicyRow } from './host-policy.entity';

export const COOKIE_LIFETIME_S = 7 * 24 * 3600;

/** A password that a client at `address` gave for a host. */
export interface PasswordAttempt {
  host: string;
  password: string;
  address: string;
}

interface SitePassword {
  /** Id of the version, site or project with this password. Failed attempts are counted for this id. */
  ownerId: string;
  passwordHash: string;
  passwordKey: Buffer;
}

/** Selects the claim of a host, with the password of its preview and the project of its tenant. */
const PASSWORD_SQL = `SELECT c."subdomainId", c."tenantId", c."versionId",
    v."previewPasswordHash", v."previewPasswordKey", t."projectId"
  FROM host_claims AS c LEFT JOIN site_versions AS v ON v._id = c."versionId"
  LEFT JOIN tenants AS t ON t._id = c."tenantId" WHERE c.host = $1`;

interface ClaimRow {
  subdomainId: string | null;
  tenantId: string | null;
  versionId: string | null;
  previewPasswordHash: string | null;
  previewPasswordKey: string | null;
  projectId: string | null;
}

/** Verifies host passwords for the edge, where argon2 would block a worker. Failures are counted in the database. */
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
    const networks = { network: toLimitKey(address), customerNetwork: toCustomerNetwork(address) };
    // A username does not begin with a blank, so no login is counted for this name.
    const loginAttempt = { username: ` site ${sitePassword.ownerId}`, ...networks, isSitePassword: true };
    const isKnown = await this.limits.check(loginAttempt);
    return withHashingSlot({ network: loginAttempt.network, isKnown }, async () => {
      await this.limits.countAttempt(loginAttempt);
      if (!(await passwordMatches(sitePassword.passwordHash, password))) return undefined;
      await this.limits.retract(loginAttempt);
      return createAccessCookie(sitePassword.passwordKey, host, Date.now() + COOKIE_LIFETIME_S * 1000);
    });
  }

  /** Verifies the password of a host, like `createCookie`. Too many failures are a result and not an error. */
  async logIn(attempt: PasswordAttempt): Promise<{ cookie: string } | { failure: 'wrong' | 'limited' }> {
    try {
      const cookie = await this.createCookie(attempt);
      return cookie === undefined ? { failure: 'wrong' } : { cookie };
    } catch (error) {
      if (error instanceof RuleError && error.kind === 'tooMany') return { failure: 'limited' };
      throw error;
    }
  }

  /** Compares a password for `HostTestService`. Too many failures count as a wrong password. */
  async isCorrectPassword(attempt: PasswordAttempt): Promise<boolean> {
    return 'cookie' in (await this.logIn(attempt));
  }

  private async findPassword(hostHeader: string): Promise<SitePassword | undefined> {
    const hostClass = this.classify(parseHostHeader(hostHeader));
    if (hostClass.kind !== 'claimable') return undefined;
    const { name } = hostClass;
    const domain = name.replace(/^www\./, '');
    // A claimed domain includes its `www.` host, and a claimed wildcard (`*.`) includes the hosts directly below it.
    for (const claimedName of new Set([name, domain, toWildcard(name) ?? name])) {
      const [claim] = await this.database.read.query<ClaimRow[]>(PASSWORD_SQL, [claimedName]);
      if (!claim) continue;
      const { previewPasswordHash, previewPasswordKey, versionId, subdomainId, tenantId, projectId } = claim;
      if (versionId !== null) return toSitePassword(versionId, previewPasswordHash, previewPasswordKey);
      // The project's rule applies to a site that has no access rule.
      const row = (await this.findAccessRule(subdomainId ?? tenantId)) ?? (await this.findAccessRule(projectId));
      if (row) return toSitePassword(row._id, row.passwordHash, row.passwordKey);
    }
    return undefined;
  }

  private async findAccessRule(ownerId: string | null): Promise<HostPolicyRow | undefined> {
    const row = ownerId === null ? null : await this.database.read.findOneBy(HostPolicyRow, { _id: ownerId });
    return row && row.access !== null ? row : undefined;
  }
}

const toSitePassword = (
  ownerId: string,
  passwordHash: string | null,
  passwordKey: string | null,
): SitePassword | undefined =>
  passwordHash === null || passwordKey === null
    ? undefined
    : { ownerId, passwordHash, passwordKey: Buffer.from(passwordKey, 'hex') };
