import type { HttpMethod } from '../../../generated/graph';
import { covers } from '../../../lib/gateway/permissions';
import type { RouteRowFragment, ServiceManifestQuery } from '../generated/gateway-routes';

/** Whether a route of the manifest is selected, and with which permission. */
interface Choice {
  selected: boolean;
  permission: string;
}

/** Choices by `key` of the row. */
export type Choices = Record<string, Choice>;

/** The effect of an import on a route: the route is created, changed or stays unchanged. */
export type RowState = 'new' | 'changed' | 'unchanged';

/** One row of the import dialog: a route of the manifest and the choice about it. */
export interface ImportRow extends Choice {
  /** Identifies the row: method and path. */
  key: string;
  method: HttpMethod;
  path: string;
  /** The path at the gateway. */
  origin: string;
  summary?: string | null;
  /** Host of this route in an OpenAPI document. The import ignores it: routes lead to the service's host. */
  otherServer?: string | null;
  /** The result of the comparison with the existing routes. */
  state: RowState;
  /** Whether the permission is a suggestion, because the manifest names none. */
  isSuggested: boolean;
  /** Whether the existing route is public. It stays public. */
  isPublic: boolean;
  /** Permission of the existing route; empty for a new route. */
  permissionBefore: string;
}

type AnyManifestRoute = ServiceManifestQuery['manifest']['routes'][number];
type ManifestRoute = Pick<AnyManifestRoute, 'method' | 'path' | 'permission'> & Partial<AnyManifestRoute>;

type ExistingRoute = Omit<RouteRowFragment, 'version' | 'service'> & {
  service: Pick<RouteRowFragment['service'], '_id'>;
};

type Service = RouteRowFragment['service'];

/** The format of a route's permission, as the core checks it. */
const PERMISSION = /^[\p{L}\p{N}_][\p{L}\p{N}_.-]*:[\p{L}\p{N}_][\p{L}\p{N}_.-]*$/u;
const hasPermission = ({ permission }: { permission: string }): boolean => PERMISSION.test(permission.trim());

/** Public routes stay without a permission. A manifest without a permission keeps the permission of the route. */
function compareRoute(route: ExistingRoute | undefined, { path, permission }: ManifestRoute): RowState {
  if (!route) return 'new';
  const keepsPermission = route.public || permission === '' || permission === route.permission;
  return route.destination === path && keepsPermission ? 'unchanged' : 'changed';
}

/** The origin of an imported path; origins have no trailing slash. */
const toOrigin = ({ name }: Service, path: string): string => `/${name}${path}`.replace(/\/$/, '');

/** A key that is equal for origins that match the same paths (`formatOriginKey` of the core). */
const toRouteKey = (method: HttpMethod, path: string) => `${method} ${path.replace(/\/:[^/]+/g, '/:').toLowerCase()}`;

/** Rows for the routes of a manifest. Unchanged routes are never selected. */
export function createImportRows(
  service: Service,
  manifest: readonly ManifestRoute[],
  existing: readonly ExistingRoute[],
  choices: Choices,
): ImportRow[] {
  const routesByKey = new Map(
    existing.flatMap((route) => route.methods.map((method) => [toRouteKey(method, route.origin), route] as const)),
  );
  return manifest.map((item) => {
    const { method, path } = item;
    const key = `${method} ${path}`;
    const origin = toOrigin(service, path);
    const existingRoute = routesByKey.get(toRouteKey(method, origin));
    const ownRoute = existingRoute?.service._id === service._id ? existingRoute : undefined;
    const state = compareRoute(ownRoute, item);
    const namedPermission = item.permission || ownRoute?.permission || '';
    const suggestion = namedPermission === '' ? (item.suggestedPermission ?? '') : '';
    const choice = choices[key] ?? { selected: false, permission: namedPermission || suggestion };
    return {
      key,
      method,
      path,
      origin,
      summary: item.summary,
      otherServer: item.otherServer,
      state,
      permission: choice.permission,
      selected: choice.selected && state !== 'unchanged',
      isSuggested: suggestion !== '' && choice.permission === suggestion,
      isPublic: ownRoute?.public ?? false,
      permissionBefore: ownRoute?.permission ?? '',
    };
  });
}

/** Routes that the manifest no longer has. Their origin shows that an earlier import may have created them. */
export function findObsoleteRoutes<Route extends ExistingRoute>(
  service: Service,
  manifest: readonly ManifestRoute[],
  existing: readonly Route[],
): Route[] {
  const manifestKeys = new Set(manifest.map(({ method, path }) => toRouteKey(method, toOrigin(service, path))));
  return existing.filter(
    ({ service: { _id }, origin, destination, methods }) =>
      _id === service._id &&
      origin === toOrigin(service, destination) &&
      !methods.some((method) => manifestKeys.has(toRouteKey(method, origin))),
  );
}

/** Selected rows whose permission is empty or malformed. */
export const findRowsWithoutPermission = (rows: readonly ImportRow[]): ImportRow[] =>
  rows.filter((row) => row.selected && !hasPermission(row));

/** The input of the import; undefined if nothing is selected or a permission is missing or malformed (product §5). */
export function toImportInput(rows: readonly ImportRow[], removed: readonly string[] = []) {
  const selected = rows.filter((row) => row.selected);
  if (selected.length + removed.length === 0 || !selected.every(hasPermission)) return undefined;
  return selected.map(({ method, path, permission }) => ({ method, path, permission: permission.trim() }));
}

/**
 * The API keys that may call a selected route only after the import. Keys with `*` are left out, because they may
 * call every route.
 */
export function findKeysThatGainAccess<Key extends { permissions: readonly string[] }>(
  rows: readonly ImportRow[],
  keys: readonly Key[],
): Key[] {
  const changedRows = rows.filter(
    (row) => row.selected && !row.isPublic && hasPermission(row) && row.permission.trim() !== row.permissionBefore,
  );
  const distinctRows = new Map(changedRows.map((row) => [`${row.permission.trim()} ${row.permissionBefore}`, row]));
  return keys.filter(({ permissions }) => {
    if (permissions.includes('*')) return false;
    return [...distinctRows.values()].some(
      ({ permission, permissionBefore }) =>
        covers(permissions, permission.trim()) && (permissionBefore === '' || !covers(permissions, permissionBefore)),
    );
  });
}
