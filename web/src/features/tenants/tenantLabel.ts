import { normalise } from '../../lib/normalise';

/** Of a DNS label. */
const MAX_LENGTH = 63;

/** The subdomain derived from a tenant's name: `Clínica Vida & Saúde` is `clinica-vida-saude`. */
export const tenantLabel = (name: string): string =>
  normalise(name)
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LENGTH)
    .replace(/^-+|-+$/g, '');
