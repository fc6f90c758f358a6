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
/** Limits that leave room for the action, because a permission has at most 100 characters. */
const MAX_LENGTH = 80;
const MAX_PREFIXED_LENGTH = 90;

/**
 * Suggests a permission from the first resource of the path (`pedidos` in `/v1/pedidos/:id/itens`) and the action of
 * the method. If the path has parameters only, the service's name is the resource.
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

/** Adds the service's name to a permission that a key or another service already uses. */
export function addServiceName(permission: string, serviceName: string): string {
  const [resource, action] = permission.split(':');
  const name = `${serviceName}-${resource}`.replace(/^-+/, '').slice(0, MAX_PREFIXED_LENGTH);
  return `${name}:${action}`;
}
