export type { SubdomainHealth } from './subdomain-health';
export type { SubdomainsService } from './subdomains.service';
