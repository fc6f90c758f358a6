export { checkCertificate } from './checks/domain-certificate';
export type { DegradedHost, DomainMonitor } from './checks/domain-monitor';
export { domainMessages } from './domains.messages';
export { domainStatusResponse, wwwMode } from './domains.schema';
export type { SiteDomainsService } from './site-domains.service';
