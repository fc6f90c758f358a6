import { DomainDns } from '../features/domains/checks/domain-dns';
import { DomainMonitor } from '../features/domains/checks/domain-monitor';
import { DomainReports } from '../features/domains/checks/domain-reports';
import { DomainProofs } from '../features/domains/domain-proofs';
import { SiteDomainsService } from '../features/domains/site-domains.service';
import type { RolloutService } from '../features/rollout/rollout.service';
import type { SiteOwnerStore } from '../features/sites';
import type { AppContext } from './app-context';

/**
 * Composes the domains of subdomains and tenants, with the checks of their DNS and certificates.
 * @param owners look-ups of subdomains and tenants, whose services are created later because they need the domains
 */
export function createDomains(
  { config, database }: AppContext,
  rollout: RolloutService,
  owners: Record<'subdomain' | 'tenant', Pick<SiteOwnerStore, 'find'>>,
) {
  const { SERVER_IP, BASE_DOMAIN, SITES_DOMAIN, DNS_SERVERS, TLS_CHECK_ADDRESS } = config;
  const dns = new DomainDns(DNS_SERVERS, SERVER_IP);
  const domainMonitor = new DomainMonitor(database, dns, SERVER_IP, TLS_CHECK_ADDRESS);
  const domainReports = new DomainReports(database, SERVER_IP);
  const siteDomains = new SiteDomainsService({
    database,
    rollout,
    monitor: domainMonitor,
    reports: domainReports,
    proofs: new DomainProofs(database, dns),
    owners,
    ownDomains: [BASE_DOMAIN, SITES_DOMAIN],
    sitesDomain: SITES_DOMAIN,
    serverIps: SERVER_IP,
  });
  return { domainMonitor, domainReports, siteDomains };
}
