/**
 * Extracts the host from a pasted text: `https://www.x.com.br/loja` gives `www.x.com.br`. A plain name is returned
 * unchanged.
 */
export const extractHost = (text: string): string =>
  text
    .trim()
    .replace(/^[a-z][a-z\d+.-]*:\/\//i, '')
    .replace(/[/?#].*$/, '')
    .replace(/^.*@/, '')
    .replace(/:\d+$/, '')
    .replace(/\.$/, '');

/** Extracts the host from a pasted text, without `www.`: `https://www.x.com.br/loja` gives `x.com.br`. */
export const extractDomain = (text: string): string => extractHost(text).replace(/^www\./i, '');

/** Adds `http://` to a host without a scheme, because the core requires a scheme. */
export function addScheme(host: string): string {
  const trimmed = host.trim();
  return trimmed === '' || trimmed.includes('://') ? trimmed : `http://${trimmed}`;
}
