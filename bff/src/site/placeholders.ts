import escapeHtml from 'escape-html';

/** What the build left open (`web/DECISIONS.md`). */
export interface Facts {
  /** Scheme and host, without a slash at the end. */
  origin: string;
  brandName: string;
  year: number;
}

const insideJson = (text: string): string => JSON.stringify(text).slice(1, -1).replaceAll('<', '\\u003c');

/** Replaces every placeholder of a built text file, each escaped for its place. */
export function fillIn(text: string, { origin, brandName, year }: Facts): string {
  const values: Record<string, string> = {
    __ORIGIN__: origin,
    __BRAND_NAME__: escapeHtml(brandName),
    __BRAND_NAME_JSON__: insideJson(brandName),
    __YEAR__: String(year),
  };
  return text.replace(/__(?:ORIGIN|BRAND_NAME|BRAND_NAME_JSON|YEAR)__/g, (placeholder) => values[placeholder] ?? '');
}

/**
 * The origin that links to this site should have: what the visitor used if that is the studio's own domain (`www.` is
 * dropped), else the domain itself. Any other Host is the visitor's invention.
 */
export function originOf(protocol: string, host: string | undefined, baseDomain: string): string {
  const [, name = '', port = ''] = /^(?:www\.)?([a-z0-9.-]+?)\.?(:\d{1,5})?$/.exec(host?.toLowerCase() ?? '') ?? [];
  return name === baseDomain ? `${protocol}://${name}${port}` : `${protocol}://${baseDomain}`;
}
