import type { HeaderRewrite } from '../engine/types';

/** Removes the upstream's `X-Request-Id`, because the edge adds its own. */
export const dropRequestId: HeaderRewrite = (name, _value, line) => (name === 'x-request-id' ? '' : line);

/** Removes the upstream's CORS lines, for services whose CORS policy the gateway applies. @param rewrite is applied to all other lines */
export const withoutCors =
  (rewrite: HeaderRewrite): HeaderRewrite =>
  (name, value, line) =>
    name.startsWith('access-control-') ? '' : rewrite(name, value, line);

/** A `Domain` attribute up to the next attribute. No two adjacent parts match blanks, which would cause quadratic time. */
const DOMAIN = /;[ \t]*domain[ \t]*=([^;\r]*)/gi;

/** Browsers normalize such domains before they compare them: soft hyphens disappear, full-width letters become ASCII. */
const NORMALIZED_BY_BROWSERS = /[%\x80-\xff]/;

/**
 * Makes cookies host-only if their `Domain` is an own domain or a parent of one: they would reach the console and all sites.
 * @param ownDomains in lower case
 */
export function hostOnlyCookies(ownDomains: readonly string[]): HeaderRewrite {
  const isOwnOrParent = (domain: string) => ownDomains.some((own) => own === domain || own.endsWith(`.${domain}`));
  return (name, _value, line) => {
    if (name !== 'set-cookie') return dropRequestId(name, _value, line);
    return line.replace(DOMAIN, (attribute, value: string) => {
      const domain = value
        .trim()
        .replace(/^"?\.?/, '')
        .replace(/"$/, '');
      const canonical = domain.toLowerCase().replace(/\.$/, '');
      return NORMALIZED_BY_BROWSERS.test(domain) || (canonical !== '' && isOwnOrParent(canonical)) ? '' : attribute;
    });
  };
}
