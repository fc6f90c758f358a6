import escapeHtml from 'escape-html';

/** The values of the build's placeholders (decision 112). */
export interface PlaceholderValues {
  /** Scheme and host, without a slash at the end. */
  origin: string;
  brandName: string;
  /** Parent domain of the sites' hosts if it differs from the studio's; otherwise ''. */
  sitesDomain: string;
  year: number;
}

const escapeForJson = (text: string): string => JSON.stringify(text).slice(1, -1).replaceAll('<', '\\u003c');

/** Replaces every placeholder of a built text file. Values are escaped for HTML or JSON. */
export function fillPlaceholders(text: string, { origin, brandName, sitesDomain, year }: PlaceholderValues): string {
  const values: Record<string, string> = {
    __ORIGIN__: origin,
    __BRAND_NAME__: escapeHtml(brandName),
    __BRAND_NAME_JSON__: escapeForJson(brandName),
    __SITES_DOMAIN__: sitesDomain,
    __YEAR__: String(year),
  };
  return text.replace(
    /__(?:ORIGIN|BRAND_NAME|BRAND_NAME_JSON|SITES_DOMAIN|YEAR)__/g,
    (placeholder) => values[placeholder] ?? '',
  );
}

const MAX_PORT = 65_535;

/**
 * Returns the origin for links to this site: the request's origin without `www.` if its host is the studio's domain,
 * else the studio's domain. A client can send any Host header, so other hosts are not used.
 */
export function chooseSiteOrigin(protocol: string, host: string | undefined, baseDomain: string): string {
  const [, name = '', port = ''] = /^(?:www\.)?([a-z0-9.-]+?)\.?(:\d{1,5})?$/.exec(host?.toLowerCase() ?? '') ?? [];
  const isValidPort = Number(port.slice(1)) <= MAX_PORT;
  return name === baseDomain && isValidPort ? `${protocol}://${name}${port}` : `${protocol}://${baseDomain}`;
}
