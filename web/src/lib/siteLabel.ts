import { foldAccents } from '../../lib/foldAccents';

/** Longest DNS label (RFC 1035 §2.3.4). */
const MAX_LENGTH = 63;

/** The subdomain derived from a tenant's name: `Clínica Vida & Saúde` is `clinica-vida-saude`. */
export const tenantLabel = (name: string): string =>
  foldAccents(name)
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LENGTH)
    .replace(/^-+|-+$/g, '');
