import { keysMessages } from './gateway-keys.messages';

export interface PermissionGroup {
  name: string;
  permissions: string[];
}

interface PermissionedRoute {
  permission: string;
  service: { name: string };
}

/**
 * The permissions that a key may be given: per service name the distinct permissions of its routes, after the general
 * group that holds `*` (product-spec §5). Permissions in `kept` that no route asks for any more stay choosable, so that
 * editing a key never drops one unseen.
 */
export function permissionGroups(
  routes: readonly PermissionedRoute[],
  kept: readonly string[] = [],
): PermissionGroup[] {
  const byService = new Map<string, Set<string>>();
  for (const { service, permission } of routes) {
    const known = byService.get(service.name) ?? new Set<string>();
    byService.set(service.name, known.add(permission));
  }
  const offered = new Set(['*', ...routes.map(({ permission }) => permission)]);
  const others = kept.filter((permission) => !offered.has(permission));
  const services = [...byService]
    .map(([name, permissions]) => ({ name, permissions: [...permissions].sort() }))
    .sort((a, b) => a.name.localeCompare(b.name, 'pt-BR'));
  return [{ name: keysMessages.form.general, permissions: ['*', ...others] }, ...services];
}
