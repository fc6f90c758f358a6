import { type EntityManager, LessThanOrEqual, type ObjectLiteral, type SelectQueryBuilder } from 'typeorm';
import type { ProjectLimit } from '../../../platform/database/change-context';
import type { Database } from '../../../platform/database/database';
import { selectIn } from '../../../platform/database/select-in';
import { readInPages } from '../../../platform/database/table-pages';
import { groupBy } from '../../../platform/group-by';
import type { HostPort } from '../../../platform/net/host-port';
import { toDisplayHost } from '../../../platform/net/hostname';
import { toIsoFromNow } from '../../../platform/time/iso-from-now';
import { DAY_MS } from '../../../platform/time/units';
import { isWildcard, listDomainHosts } from '../../../routing/hosts/site-domains';
import type { DomainStatusResponse } from '../domains.schema';
import { SiteDomain } from '../site-domain.entity';
import { computeNextCheckMs } from './check-schedule';
import { type CertificateCheck, checkCertificate, noCertificate } from './domain-certificate';
import type { DomainDns } from './domain-dns';
import { createUncheckedStatus, DomainStatus } from './domain-status.entity';
import { trackRecordChange } from './record-changes';

const DEGRADED_COLUMNS = [
  'host',
  'dns',
  'checks',
  'found',
  'knownFound',
  'changedAt',
  'changedChecks',
  'watchedSince',
  'certificateState',
  'issuedAt',
  'expiresAt',
] as const satisfies (keyof DomainStatus)[];
/** A domain of a site, or its `www`, that needs attention. */
export type DegradedHost = Pick<SiteDomain, 'ownerKind' | 'ownerId'> &
  Pick<DomainStatus, (typeof DEGRADED_COLUMNS)[number]>;

/** SQL condition of `listDegraded`. A certificate must be valid until the instant `$2`. */
const DEGRADED = `("okAt" IS NOT NULL AND (dns IN ('wrong', 'missing') OR "certificateState" = 'failed'))
  OR "changedAt" IS NOT NULL OR ("certificateState" = 'active' AND "expiresAt" <= $2)`;

/** Automatic renewals happen earlier. A certificate this close to its expiry was not renewed. */
const EXPIRING_MS = 14 * DAY_MS;

const BATCH_SIZE = 20;

/** The name whose DNS and certificate are checked. For a wildcard, this is a name that the wildcard matches. */
const toCheckedName = (host: string): string => (isWildcard(host) ? `studio-check${host.slice(1)}` : host);

/** SQL conditions of `countUnhealthy`. A certificate must be valid until `:validUntil`. */
const UNHEALTHY = {
  pending: `(s.dns IN ('wrong', 'missing') OR s.certificateState IN ('issuing', 'failed'))`,
  expiring: `s.dns = 'ok' AND s.certificateState = 'active' AND s.expiresAt <= :validUntil`,
};
type HostSelection = (query: SelectQueryBuilder<ObjectLiteral>) => SelectQueryBuilder<ObjectLiteral>;
/** Plain SQL, because the entity of tenants belongs to a feature that imports this feature. */
const TENANTS_OF_PROJECTS_SQL = 'SELECT _id FROM tenants WHERE "projectId" IN (:...projects)';

/** Monitors DNS and certificates of the domains of sites. */
export class DomainMonitor {
  constructor(
    private readonly database: Database,
    private readonly dns: Pick<DomainDns, 'check'>,
    /** Addresses that custom domains must have. */
    private readonly serverIps: readonly string[],
    /** Address whose TLS handshake presents the certificates of custom domains. */
    private readonly tlsCheckAddress: HostPort,
  ) {}

  /** Finds the status of each domain and its `www`, by domain. */
  async findStatusByDomain(domains: readonly string[]): Promise<Map<string, DomainStatusResponse[]>> {
    const rows = await selectIn<Omit<DomainStatus, 'found'> & { found: string }>(this.database.read, {
      table: 'domain_status',
      columns: 'host, domain, dns, found, "certificateState", issuer, "expiresAt", "checkedAt", "nextCheckAt"',
      column: 'domain',
      values: domains,
    });
    rows.sort((a, b) => a.host.length - b.host.length);
    const toResponse = (row: (typeof rows)[number]) => this.toResponse({ ...row, found: JSON.parse(row.found) });
    return new Map(
      [...groupBy(rows, ({ domain }) => domain)].map(([domain, hosts]) => [domain, hosts.map(toResponse)]),
    );
  }

  /**
   * Counts tenants with a host that has wrong DNS or no valid certificate yet (`pending`), or with a host whose
   * certificate expires soon (`expiring`). A host whose DNS was not checked does not count.
   * @param projects only tenants of these projects count; null counts all tenants
   * @returns the number of tenants, and at most `maxNamed` of them, each with the name of its first host
   */
  async countUnhealthy(
    kind: 'pending' | 'expiring',
    projects: ProjectLimit,
    maxNamed: number,
  ): Promise<{ total: number; first: { id: string; name: string }[] }> {
    if (projects?.length === 0) return { total: 0, first: [] };
    const selectHosts: HostSelection = (query) => {
      query.from(DomainStatus, 's').innerJoin(SiteDomain, 'd', 'd.host = s.domain');
      query.where(`d.ownerKind = 'tenant' AND ${UNHEALTHY[kind]}`, { validUntil: toIsoFromNow(EXPIRING_MS) });
      return projects ? query.andWhere(`d.ownerId IN (${TENANTS_OF_PROJECTS_SQL})`, { projects }) : query;
    };
    // COUNT(DISTINCT) would take twice as long, because PostgreSQL sorts the ids for it.
    const counts = await this.database.read
      .createQueryBuilder()
      .select('COUNT(*)', 'total')
      .from((query) => selectHosts(query.select('DISTINCT d.ownerId')), 'owners')
      .getRawOne<{ total: number | string }>();
    const firstHosts = await this.findFirstHosts(selectHosts, maxNamed);
    return {
      total: Number(counts?.total ?? 0),
      first: [...firstHosts].slice(0, maxNamed).map(([id, host]) => ({ id, name: toDisplayHost(host) })),
    };
  }

  /** Reads hosts in order until `count` owners have their first host. This is faster than grouping all hosts. */
  private async findFirstHosts(selectHosts: HostSelection, count: number): Promise<Map<string, string>> {
    const firstHosts = new Map<string, string>();
    const pageSize = 4 * count;
    for (;;) {
      const query = selectHosts(
        this.database.read.createQueryBuilder().select('d.ownerId', 'id').addSelect('s.host', 'name'),
      );
      // An owner may have more unhealthy hosts than fit on a page.
      if (firstHosts.size > 0) query.andWhere('d.ownerId NOT IN (:...named)', { named: [...firstHosts.keys()] });
      const hosts = await query.orderBy('s.host').limit(pageSize).getRawMany<{ id: string; name: string }>();
      for (const { id, name } of hosts) if (!firstHosts.has(id)) firstHosts.set(id, name);
      if (hosts.length < pageSize || firstHosts.size >= count) return firstHosts;
    }
  }

  /** Lists hosts that became unhealthy, whose records changed, or whose certificate expires before an instant. */
  async listDegraded(endsBefore: string): Promise<DegradedHost[]> {
    type Row = Omit<DegradedHost, 'found' | 'knownFound'> & { found: string; knownFound: string };
    const rows = await readInPages<Row>(this.database.report, {
      table: `(SELECT s.*, d."ownerKind", d."ownerId" FROM domain_status AS s JOIN site_domains AS d ON d.host = s.domain) AS hosts`,
      columns: ['ownerKind', 'ownerId', ...DEGRADED_COLUMNS].map((column) => `"${column}"`).join(', '),
      where: DEGRADED,
      values: [endsBefore],
      key: 'host',
    });
    return rows.map((row) => ({ ...row, found: JSON.parse(row.found), knownFound: JSON.parse(row.knownFound) }));
  }

  private toResponse({ host, dns, found, certificateState, issuer, expiresAt, checkedAt, nextCheckAt }: DomainStatus) {
    const certificate = { state: certificateState, issuer, expiresAt };
    const expected = [...this.serverIps];
    return { host, displayHost: toDisplayHost(host), dns, found, expected, certificate, checkedAt, nextCheckAt };
  }

  /** Adds the status rows of a domain, in the transaction that adds the domain. They are deleted with the domain. */
  async startMonitoring(manager: EntityManager, domain: string): Promise<void> {
    const now = new Date().toISOString();
    const rows = listDomainHosts(domain).map((host) => createUncheckedStatus(host, domain, now));
    await manager.insert(DomainStatus, rows);
  }

  /** Checks the domains of a site now. @param domain if given, only this domain is checked */
  async checkNow(ownerId: string, domain?: string): Promise<void> {
    const siteDomain = { ownerId, ...(domain !== undefined && { host: domain }) };
    await this.checkHosts(await this.database.read.findBy(DomainStatus, { siteDomain }));
  }

  /** Checks the hosts that are due. @returns whether more hosts are due */
  async checkDue(): Promise<boolean> {
    const dueRows = await this.database.read.find(DomainStatus, {
      where: { nextCheckAt: LessThanOrEqual(new Date().toISOString()) },
      order: { nextCheckAt: 'ASC' },
      take: BATCH_SIZE,
    });
    await this.checkHosts(dueRows);
    return dueRows.length === BATCH_SIZE;
  }

  private async checkHosts(rows: readonly DomainStatus[]): Promise<void> {
    const results = await Promise.all(rows.map((row) => this.checkHost(row)));
    if (results.length === 0) return;
    await this.database.concurrentWrite(async (manager) => {
      // The update matches no row if the domain was removed in the meantime.
      for (const { host, domain, ...result } of results) await manager.update(DomainStatus, { host, domain }, result);
    });
  }

  private async checkHost(row: DomainStatus): Promise<Omit<DomainStatus, 'siteDomain'>> {
    const name = toCheckedName(row.host);
    const { dns, found, isComplete } = await this.dns.check(name);
    const watchedMs = Date.now() - Date.parse(row.watchedSince);
    const certificate = dns === 'ok' ? await checkCertificate(name, this.tlsCheckAddress, watchedMs) : noCertificate;
    const canCompareRecords = isComplete && this.serverIps.length === 0;
    return computeStatus(row, { dns, found, certificate, canCompareRecords });
  }
}

interface CheckResult extends Pick<DomainStatus, 'dns' | 'found'> {
  certificate: CertificateCheck;
  canCompareRecords: boolean;
}

function computeStatus(
  row: DomainStatus,
  { dns, found, certificate, canCompareRecords }: CheckResult,
): Omit<DomainStatus, 'siteDomain'> {
  const nowMs = Date.now();
  const checkedAt = new Date(nowMs).toISOString();
  const { host, domain, knownFound, changedAt, changedChecks } = row;
  const wasHealthy = row.dns === 'ok' && row.certificateState === 'active';
  const isHealthy = dns === 'ok' && certificate.certificateState === 'active';
  const becameUnhealthy = wasHealthy && !isHealthy;
  const checks = becameUnhealthy ? 1 : row.checks + 1;
  const change = canCompareRecords ? trackRecordChange(row, found, nowMs) : { knownFound, changedAt, changedChecks };
  // Records are compared only without `SERVER_IP`. The DNS is then never `ok`, so frequent checks confirm a change.
  const checksSinceChange = change.changedAt ? change.changedChecks : checks;
  const nextCheckAt = new Date(computeNextCheckMs({ isHealthy, checks: checksSinceChange, nowMs })).toISOString();
  const okAt = dns === 'ok' ? checkedAt : row.okAt;
  const watchedSince = becameUnhealthy ? checkedAt : row.watchedSince;
  return { host, domain, dns, found, ...certificate, ...change, checks, checkedAt, okAt, nextCheckAt, watchedSince };
}
