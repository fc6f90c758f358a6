export { checkCertificate } from './domain-certificate';
export type { DegradedHost, DomainMonitor } from './domain-monitor';
export { domainMessages } from './domains.messages';
export { domainStatusResponse, wwwMode } from './domains.schema';
export type { SiteDomainsService } from './site-domains.service';
