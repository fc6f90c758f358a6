import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { groupBy } from '../../../platform/collections/group-by';
import type { ProjectLimit } from '../../../platform/database/changes/change-context';
import type { Database } from '../../../platform/database/database';
import { selectIn } from '../../../platform/database/queries/select-in';
import { readAllRows } from '../../../platform/database/queries/table-pages';
import { toDisplayHost } from '../../../platform/net/hostname';
import { DAY_MS, toIsoFromNow } from '../../../platform/time/relative-time';
import type { DomainStatusResponse } from '../domains.schema';
import { SiteDomain } from '../site-domain.entity';
import { DomainStatus } from './domain-status.entity';

/** A domain of a site, or its `www`, that may need an alert. */
export type DomainAlertCandidate = DomainStatus & Pick<SiteDomain, 'ownerKind' | 'ownerId'>;

/** SQL condition of `listAlertCandidates`. A certificate that expires by the instant `$2` is a candidate. */
const IS_CANDIDATE = `("okAt" IS NOT NULL AND (dns IN ('wrong', 'missing') OR "certificateState" = 'failed'))
  OR "changedAt" IS NOT NULL OR ("certificateState" = 'active' AND "expiresAt" <= $2)`;

/** Automatic renewals happen earlier. A certificate this close to its expiry was not renewed. */
const ENDING_MS = 14 * DAY_MS;

/** SQL conditions of `countTenants`. A certificate that expires by the instant `:validUntil` is ending. */
const CONDITIONS = {
  waiting: `(s.dns IN ('wrong', 'missing') OR s.certificateState IN ('issuing', 'failed'))`,
  ending: `s.dns = 'ok' AND s.certificateState = 'active' AND s.expiresAt <= :validUntil`,
};
type HostSelection = (query: SelectQueryBuilder<ObjectLiteral>) => SelectQueryBuilder<ObjectLiteral>;
/** Plain SQL, because the entity of tenants belongs to a feature that imports this feature. */
const TENANTS_OF_PROJECTS_SQL = 'SELECT _id FROM tenants WHERE "projectId" IN (:...projects)';

/** Reads the stored results of the checks. */
export class DomainReports {
  constructor(
    private readonly database: Database,
    /** Addresses that custom domains must have. */
    private readonly serverIps: readonly string[],
  ) {}

  /** Finds the status of each domain and its `www`, by domain. The shorter host is the domain, which comes first. */
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

  private toResponse({ host, dns, found, certificateState, issuer, expiresAt, checkedAt, nextCheckAt }: DomainStatus) {
    const certificate = { state: certificateState, issuer, expiresAt };
    const expected = [...this.serverIps];
    return { host, displayHost: toDisplayHost(host), dns, found, expected, certificate, checkedAt, nextCheckAt };
  }

  /**
   * Counts tenants with a host that has wrong DNS or no valid certificate yet (`waiting`), or with a host whose
   * certificate ends soon (`ending`). A host whose DNS was not checked does not count.
   * @param projects only tenants of these projects count; null counts all tenants
   * @returns the number of tenants, and at most `maxNamed` of them, each with the name of its first host
   */
  async countTenants(
    condition: keyof typeof CONDITIONS,
    projects: ProjectLimit,
    maxNamed: number,
  ): Promise<{ total: number; first: { id: string; name: string }[] }> {
    if (projects?.length === 0) return { total: 0, first: [] };
    const selectHosts: HostSelection = (query) => {
      query.from(DomainStatus, 's').innerJoin(SiteDomain, 'd', 'd.host = s.domain');
      query.where(`d.ownerKind = 'tenant' AND ${CONDITIONS[condition]}`, { validUntil: toIsoFromNow(ENDING_MS) });
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
    const pageSize = 4 * count; // An owner may have several hosts, such as a domain and its `www`.
    for (;;) {
      const query = selectHosts(
        this.database.read.createQueryBuilder().select('d.ownerId', 'id').addSelect('s.host', 'name'),
      );
      // One owner may have more of these hosts than fit on a page.
      if (firstHosts.size > 0) query.andWhere('d.ownerId NOT IN (:...named)', { named: [...firstHosts.keys()] });
      const hosts = await query.orderBy('s.host').limit(pageSize).getRawMany<{ id: string; name: string }>();
      for (const { id, name } of hosts) if (!firstHosts.has(id)) firstHosts.set(id, name);
      if (hosts.length < pageSize || firstHosts.size >= count) return firstHosts;
    }
  }

  /**
   * Lists hosts whose DNS was correct once and whose DNS or certificate has failed, whose records changed, or whose
   * certificate ends before an instant.
   */
  async listAlertCandidates(endsBefore: string): Promise<DomainAlertCandidate[]> {
    type Row = Omit<DomainAlertCandidate, 'found' | 'knownFound'> & { found: string; knownFound: string };
    const rows = await readAllRows<Row>(this.database.report, {
      table: `(SELECT s.*, d."ownerKind", d."ownerId" FROM domain_status AS s JOIN site_domains AS d ON d.host = s.domain) AS hosts`,
      columns: '*',
      where: IS_CANDIDATE,
      values: [endsBefore],
      key: 'host',
    });
    return rows.map((row) => ({ ...row, found: JSON.parse(row.found), knownFound: JSON.parse(row.knownFound) }));
  }
}
