import { keysMessages } from '../gateway-keys.messages';

export interface PermissionGroup {
  /** `general` has `*` and unused permissions, `shared` the permissions of several services. */
  kind: 'general' | 'shared' | 'service';
  name: string;
  permissions: string[];
}

interface PermissionedRoute {
  permission: string;
  service: { name: string };
}

/** The names of the services whose routes require a permission, by permission. Public routes require none. */
export function mapServicesByPermission(routes: readonly PermissionedRoute[]): Map<string, string[]> {
  const services = new Map<string, string[]>();
  for (const { permission, service } of routes) {
    if (permission === '') continue;
    const namesOfPermission = services.get(permission) ?? [];
    if (!namesOfPermission.includes(service.name)) services.set(permission, [...namesOfPermission, service.name]);
  }
  return services;
}

/**
 * The permissions that a key may get (product §5): the general group with `*`, the permissions that several services
 * require, and one group per service. Permissions in `currentPermissions` that no route requires any more stay
 * selectable, so that an edit of the key does not drop them unnoticed.
 */
export function createPermissionGroups(
  routes: readonly PermissionedRoute[],
  currentPermissions: readonly string[] = [],
): PermissionGroup[] {
  const services = mapServicesByPermission(routes);
  const byService = new Map<string, string[]>();
  const shared: string[] = [];
  for (const [permission, names] of services) {
    const [firstService, ...otherServices] = names;
    if (firstService === undefined || otherServices.length > 0) shared.push(permission);
    else byService.set(firstService, [...(byService.get(firstService) ?? []), permission]);
  }
  const unusedPermissions = currentPermissions.filter((permission) => permission !== '*' && !services.has(permission));
  const serviceGroups = [...byService]
    .map(([name, permissions]) => ({ kind: 'service' as const, name, permissions: permissions.sort() }))
    .sort((a, b) => a.name.localeCompare(b.name, 'pt-BR'));
  return [
    { kind: 'general', name: keysMessages.form.general, permissions: ['*', ...unusedPermissions] },
    ...(shared.length > 0
      ? [{ kind: 'shared' as const, name: keysMessages.form.shared, permissions: shared.sort() }]
      : []),
    ...serviceGroups,
  ];
}

export interface PermissionSet {
  /** Names of the services that require these permissions, as one text. */
  services: string;
  permissions: string[];
}

/** Groups permissions by the services that require them, so that these services are named once. */
export function createPermissionSets(
  permissions: readonly string[],
  services: ReadonlyMap<string, readonly string[]>,
): PermissionSet[] {
  const sets = new Map<string, string[]>();
  for (const permission of permissions) {
    const names = [...(services.get(permission) ?? [])].sort((a, b) => a.localeCompare(b, 'pt-BR')).join(', ');
    sets.set(names, [...(sets.get(names) ?? []), permission]);
  }
  return [...sets].map(([names, members]) => ({ services: names, permissions: members }));
}
