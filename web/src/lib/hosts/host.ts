const UNFILLED_DOMAIN = '__SITES_DOMAIN__';

/** The current host with its port, without a leading `www.` (product §2). */
export const currentHost = (): string => window.location.host.replace(/^www\./, '');

/**
 * The parent domain of the sites' hosts, or '' for the current host. The build writes a placeholder that the BFF fills
 * in; the app reads the domain from the page.
 */
export function sitesDomain(): string {
  if (typeof document === 'undefined') return UNFILLED_DOMAIN;
  return document.querySelector('meta[name="sites-domain"]')?.getAttribute('content') ?? UNFILLED_DOMAIN;
}

/** The suffix of a label in a displayed address: the sites' domain with the current port, else the current host. */
export function sitesHost(): string {
  const domain = sitesDomain();
  const { port } = window.location;
  if (domain === '' || domain === UNFILLED_DOMAIN) return currentHost();
  return port === '' ? domain : `${domain}:${port}`;
}

/** The address of a subdomain or tenant: `loja.example.com`. */
export const siteHost = (subdomain: string): string => `${subdomain}.${sitesHost()}`;

/** A link to a host, with the current scheme. */
export const siteUrl = (host: string): string => `${window.location.protocol}//${host}`;

/** The address of the API gateway, without a trailing slash. */
export const gatewayUrl = (): string => siteUrl(`api.${currentHost()}`);
