export { checkCertificate } from './checks/domain-certificate';
export type { DomainMonitor } from './checks/domain-monitor';
export type { DomainAlertCandidate, DomainReports } from './checks/domain-reports';
export { domainMessages } from './domains.messages';
export { domainStatusResponse, wwwMode } from './domains.schema';
export type { SiteDomainsService } from './site-domains.service';
