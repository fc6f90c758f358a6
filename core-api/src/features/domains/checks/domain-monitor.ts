import { type EntityManager, LessThanOrEqual } from 'typeorm';
import type { Database } from '../../../platform/database/database';
import type { HostPort } from '../../../platform/net/host-port';
import { isWildcard, listDomainHosts } from '../../../routing/hosts/site-domains';
import { computeNextCheckMs } from './check-schedule';
import { type CertificateCheck, checkCertificate, noCertificate } from './domain-certificate';
import type { DomainDns } from './domain-dns';
import { createUncheckedStatus, DomainStatus } from './domain-status.entity';
import { trackRecordChange } from './record-changes';

const BATCH_SIZE = 20;

/** The name whose DNS and certificate are checked. For a wildcard, this is a name that the wildcard matches. */
const toCheckedName = (host: string): string => (isWildcard(host) ? `studio-check${host.slice(1)}` : host);

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
    const hasServerIp = this.serverIps.length > 0;
    // A change that was tracked before `SERVER_IP` was set must not stay open.
    const trackedRow = hasServerIp ? { ...row, knownFound: [], changedAt: null, changedChecks: 0 } : row;
    const canCompareRecords = isComplete && !hasServerIp;
    return computeStatus(trackedRow, { dns, found, certificate, canCompareRecords });
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
  // A change of the records, which are compared only without `SERVER_IP`, restarts the frequent checks.
  const checksSinceChange = change.changedAt ? change.changedChecks : checks;
  const nextCheckAt = new Date(computeNextCheckMs({ isHealthy, checks: checksSinceChange, nowMs })).toISOString();
  const okAt = dns === 'ok' ? checkedAt : row.okAt;
  const watchedSince = becameUnhealthy ? checkedAt : row.watchedSince;
  return { host, domain, dns, found, ...certificate, ...change, checks, checkedAt, okAt, nextCheckAt, watchedSince };
}
