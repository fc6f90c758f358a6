import type { HttpMethod } from '../../../routing/http-method';

const actions: Record<HttpMethod, string> = {
  GET: 'ler',
  HEAD: 'ler',
  OPTIONS: 'ler',
  POST: 'criar',
  PUT: 'alterar',
  PATCH: 'alterar',
  DELETE: 'remover',
};

/** Segments that name an API or a version, not a resource. */
const NO_RESOURCE = /^(api|apis|rest|public|v\d[\w.]*|\d+(\.\d+)*)$/i;
const MAX_LENGTH = 80;

/**
 * Suggests a permission for a route without one: the first resource of the path (`/v1/pedidos/:id/itens`: pedidos) and
 * the action of the method. A path of parameters alone takes the service's name.
 */
export function suggestPermission(method: HttpMethod, path: string, serviceName: string): string {
  const resources = path.split('/').filter((segment) => /^[^:*{]/.test(segment) && !NO_RESOURCE.test(segment));
  const resource = (resources[0] ?? '')
    .replace(/%[0-9A-F]{2}/gi, '-')
    .replace(/[^\p{L}\p{N}_.-]+/gu, '-')
    .replace(/^[^\p{L}\p{N}_]+|-+$/gu, '')
    .slice(0, MAX_LENGTH)
    .toLowerCase();
  return `${resource || serviceName.slice(0, MAX_LENGTH).replace(/^-+/, '') || 'rota'}:${actions[method]}`;
}

const MAX_PREFIXED_LENGTH = 90;

/** Returns the permission with the service's name in front, for one that another service or a key already uses. */
export function withServiceName(permission: string, serviceName: string): string {
  const [resource, action] = permission.split(':');
  const name = `${serviceName}-${resource}`.replace(/^-+/, '').slice(0, MAX_PREFIXED_LENGTH);
  return `${name}:${action}`;
}
