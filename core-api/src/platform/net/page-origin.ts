import { parseUrl } from './parse-url';

const HOST = /^(?:\[[0-9a-f:.]+\]|[a-z0-9_-]+(?:\.[a-z0-9_-]+)*)(?::\d+)?$/;

/**
 * An origin as a browser sends it in `Origin`: scheme, host in punycode, and port unless it is the scheme's default.
 * Apps use their own schemes (`capacitor://localhost`). Undefined for `null`, wildcards, paths and any other text.
 */
export function parsePageOrigin(text: string): string | undefined {
  const origin = text.trim().replace(/\/$/, '').toLowerCase();
  const [, scheme] = /^([a-z][a-z0-9+.-]*):\/\/[^/?#@\\\s]+$/.exec(origin) ?? [];
  const url = parseUrl(origin);
  if (scheme === undefined || !url) return undefined;
  const canonical = url.origin === 'null' ? origin : url.origin;
  return HOST.test(canonical.slice(`${scheme}://`.length)) ? canonical : undefined;
}
