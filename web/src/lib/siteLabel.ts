import { domainName } from './domainName';
import { foldAccents } from './foldAccents';
import { sitesHost } from './host';

/** Longest DNS label (RFC 1035 §2.3.4). */
const MAX_LENGTH = 63;

/**
 * The subdomain that a text means: `clinica-vida-saude` for the name `Clínica Vida & Saúde`, `loja` for the pasted address
 * `https://loja.example.com/` of a site.
 */
export function siteLabel(text: string): string {
  const host = domainName(text).toLowerCase();
  const suffix = `.${domainName(sitesHost())}`;
  return foldAccents(host.endsWith(suffix) ? host.slice(0, -suffix.length) : text)
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LENGTH)
    .replace(/^-+|-+$/g, '');
}
