import { foldAccents } from '../format/foldAccents';
import { extractDomain } from './domainName';
import { getSitesDomainWithPort } from './host';

/** Longest DNS label (RFC 1035 §2.3.4). */
const MAX_LENGTH = 63;
/** A DNS label (RFC 1123). Hyphens in a row are valid, as in `xn--caf-dma`. */
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Converts a text to a subdomain: `clinica-vida-saude` for the name `Clínica Vida & Saúde`, `loja` for the pasted
 * URL `https://loja.example.com/` of a site, and `padaria-com-br` for the URL `https://padaria.com.br/` of another
 * server. A valid subdomain is returned unchanged.
 */
export function toSiteLabel(text: string): string {
  const host = extractDomain(text).toLowerCase();
  const suffix = `.${extractDomain(getSitesDomainWithPort())}`;
  const typedName = text.includes('://') ? host : text.trim().toLowerCase();
  const name = host.endsWith(suffix) ? host.slice(0, -suffix.length) : typedName;
  if (LABEL.test(name)) return name;
  return foldAccents(name)
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LENGTH)
    .replace(/^-+|-+$/g, '');
}
