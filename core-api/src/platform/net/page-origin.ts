import { parseUrl } from './parse-url';

const HOST = /^(?:\[[0-9a-f:.]+\]|[a-z0-9_-]+(?:\.[a-z0-9_-]+)*)(?::\d+)?$/;

/**
 * Returns an origin in the form of the header `Origin`, without the default port of the scheme and with the host in
 * punycode. An app may use a scheme like `capacitor`. `null`, wildcards, paths and other texts give undefined.
 */
export function parsePageOrigin(text: string): string | undefined {
  const origin = text.trim().replace(/\/$/, '').toLowerCase();
  const [, scheme] = /^([a-z][a-z0-9+.-]*):\/\/[^/?#@\\\s]+$/.exec(origin) ?? [];
  const url = parseUrl(origin);
  if (scheme === undefined || !url) return undefined;
  const canonicalOrigin = url.origin === 'null' ? origin : url.origin;
  return HOST.test(canonicalOrigin.slice(`${scheme}://`.length)) ? canonicalOrigin : undefined;
}
