import type { HttpMethod } from '../../rules/http-method';

const actions: Record<HttpMethod, string> = {
  GET: 'ler',
  HEAD: 'ler',
  OPTIONS: 'ler',
  POST: 'criar',
  PUT: 'alterar',
  PATCH: 'alterar',
  DELETE: 'remover',
};

/** Segments that say which API it is, not which resource. */
const NO_RESOURCE = /^(api|apis|rest|public|v\d[\w.]*|\d+(\.\d+)*)$/i;
const MAX_LENGTH = 80;

/**
 * A permission for a route whose manifest names none: what the path speaks of first (`/v1/pedidos/:id/itens`: pedidos)
 * and what the method does. A path of parameters alone takes the service's name.
 */
export function suggestPermission(method: HttpMethod, path: string, serviceName: string): string {
  const named = path.split('/').filter((segment) => /^[^:*{]/.test(segment) && !NO_RESOURCE.test(segment));
  const resource = (named[0] ?? '')
    .replace(/%[0-9A-F]{2}/gi, '-')
    .replace(/[^\p{L}\p{N}_.-]+/gu, '-')
    .replace(/^[^\p{L}\p{N}_]+|-+$/gu, '')
    .slice(0, MAX_LENGTH)
    .toLowerCase();
  return `${resource || serviceName.slice(0, MAX_LENGTH).replace(/^-+/, '') || 'rota'}:${actions[method]}`;
}
