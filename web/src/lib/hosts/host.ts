const PLACEHOLDER = '__SITES_DOMAIN__';

/** The current host with its port, without a leading `www.` (product §2). */
export const getCurrentHost = (): string => window.location.host.replace(/^www\./, '');

/**
 * The parent domain of the sites' hosts, or '' if their parent domain is the current host. The build writes a
 * placeholder that the BFF fills in; the app reads the domain from the page.
 */
export function getSitesDomain(): string {
  if (typeof document === 'undefined') return PLACEHOLDER;
  return document.querySelector('meta[name="sites-domain"]')?.getAttribute('content') ?? PLACEHOLDER;
}

/** The text after a site's label in its host: the sites' domain with the current port, or the current host. */
export function getSitesDomainWithPort(): string {
  const domain = getSitesDomain();
  const { port } = window.location;
  if (domain === '' || domain === PLACEHOLDER) return getCurrentHost();
  return port === '' ? domain : `${domain}:${port}`;
}

/** The host of a subdomain or tenant: `loja.example.com`. */
export const getSiteHost = (subdomain: string): string => `${subdomain}.${getSitesDomainWithPort()}`;

/** A link to a host, with the current scheme. */
export const getSiteUrl = (host: string): string => `${window.location.protocol}//${host}`;

/** The URL of the API gateway, without a trailing slash. */
export const getGatewayUrl = (): string => getSiteUrl(`api.${getCurrentHost()}`);
