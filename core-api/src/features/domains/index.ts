export { checkCertificate } from './domain-certificate';
export { domainMessages } from './domains.messages';
export { domainStatusResponse, wwwMode } from './domains.schema';
export type { DegradedHost, DomainsService } from './domains.service';
export type { SiteDomainsService } from './site-domains.service';
