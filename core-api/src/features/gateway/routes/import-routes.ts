import { type EntityManager, In } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { chunks } from '../../../platform/collections/chunks';
import { groupBy } from '../../../platform/collections/group-by';
import { createFieldError } from '../../../platform/errors/rule-error';
import type { HttpMethod } from '../../../routing/http-method';
import { formatOriginKey, parsePattern } from '../../../routing/routes/route-pattern';
import { GatewayRoute, GatewayRouteMethod } from './route.entity';
import { routeMessages as messages } from './routes.messages';
import type { ImportBody } from './routes.schema';

/** Columns of an imported route, which has one method. */
type Columns = Pick<GatewayRoute, 'origin' | 'destination' | 'permission'>;

interface RouteUpdate {
  stored: GatewayRoute;
  columns: Columns;
}

interface ImportedRoute {
  method: HttpMethod;
  originKey: string;
  columns: Columns;
}

const formatIdentity = (method: string, originKey: string) => `${method} ${originKey}`;

/** Adds the origin `/{service}{path}` and the destination `path` (product §3). @throws RuleError invalid, conflict */
function toImportedRoutes(rows: ImportBody['routes'], serviceName: string): ImportedRoute[] {
  const identities = new Set<string>();
  return rows.map(({ method, path, permission }) => {
    const origin = `/${serviceName}${path}`.replace(/\/$/, '');
    const pattern = parsePattern(origin);
    if (!pattern) throw createFieldError('invalid', 'routes', messages.origin);
    const originKey = formatOriginKey(pattern);
    if (identities.has(formatIdentity(method, originKey))) throw createConflict(origin);
    identities.add(formatIdentity(method, originKey));
    return { method, originKey, columns: { origin, destination: path, permission } };
  });
}

const createConflict = (origin: string) => createFieldError('conflict', 'origin', messages.routeTaken(origin));

/** Finds the stored routes with the methods and origins of the import, by method and origin. */
async function findExistingRoutes(
  manager: EntityManager,
  importedRoutes: readonly ImportedRoute[],
): Promise<Map<string, GatewayRoute>> {
  const routesByIdentity = new Map<string, GatewayRoute>();
  const routesById = new Map<string, GatewayRoute>();
  for (const originKeys of chunks([...new Set(importedRoutes.map(({ originKey }) => originKey))])) {
    const rows = await manager.find(GatewayRouteMethod, {
      where: { originKey: In(originKeys) },
      relations: { route: { methods: true } },
    });
    for (const { method, originKey, routeId, route } of rows) {
      // All methods of a route refer to one route object, because `removeMethod` changes the methods of that object.
      const sharedRoute = routesById.get(routeId) ?? route;
      routesById.set(routeId, sharedRoute);
      routesByIdentity.set(formatIdentity(method, originKey), sharedRoute);
    }
  }
  return routesByIdentity;
}

/** Removes routes, and ignores ids without a route. @throws RuleError invalid for a route of another service */
async function removeRoutes(manager: EntityManager, serviceId: string, ids: readonly string[]): Promise<void> {
  for (const chunk of chunks(ids)) {
    const select = { _id: true, serviceId: true } as const;
    const routes = await manager.find(GatewayRoute, { where: { _id: In(chunk) }, select });
    if (routes.some((route) => route.serviceId !== serviceId))
      throw createFieldError('invalid', 'remove', messages.notOwn);
    await manager.delete(GatewayRoute, { _id: In(chunk) });
  }
}

/** SQL increments the version, because an import has no `If-Match` and updates many rows with one statement. */
const NEXT_VERSION = () => 'version + 1';

/**
 * Updates routes. Routes with only a new permission, the usual case, are updated with one statement per permission. An
 * origin is updated together with its destination, because the destination names the parameters of the origin.
 */
async function updateRoutes(manager: EntityManager, updates: readonly RouteUpdate[]): Promise<void> {
  const hasNewPath = ({ stored, columns }: RouteUpdate) =>
    stored.destination !== columns.destination || stored.origin !== columns.origin;
  for (const { stored, columns } of updates.filter(hasNewPath))
    await manager.update(GatewayRoute, { _id: stored._id }, { ...columns, version: NEXT_VERSION });
  const otherUpdates = updates.filter((update) => !hasNewPath(update));
  for (const [permission, group] of groupBy(otherUpdates, ({ columns }) => columns.permission))
    for (const chunk of chunks(group.map(({ stored }) => stored._id)))
      await manager.update(GatewayRoute, { _id: In(chunk) }, { permission, version: NEXT_VERSION });
}

/** The stored and the imported origin match the same paths, so a difference in spelling alone is no change. */
const isChanged = (route: GatewayRoute, { destination, permission }: Columns): boolean =>
  route.destination !== destination || route.permission !== permission;

async function removeMethod(manager: EntityManager, route: GatewayRoute, method: HttpMethod): Promise<void> {
  await manager.delete(GatewayRouteMethod, { routeId: route._id, method });
  await manager.update(GatewayRoute, { _id: route._id }, { version: NEXT_VERSION });
  route.methods = route.methods.filter((row) => row.method !== method);
}

/**
 * Removes the routes in `remove`, and stores the routes in `routes`. A stored route with the same method and origin
 * gets the new destination and permission. If that route has further methods, only this method moves to a new route.
 * @returns the ids of the stored routes, in the order of `routes`
 * @throws RuleError invalid; conflict if another service, or another item of `routes`, has the same method and origin
 */
export async function importRoutes(
  manager: EntityManager,
  service: { _id: string; name: string },
  { routes, remove }: Pick<ImportBody, 'routes' | 'remove'>,
): Promise<string[]> {
  const importedRoutes = toImportedRoutes(routes, service.name);
  await removeRoutes(manager, service._id, remove);
  const existingRoutes = await findExistingRoutes(manager, importedRoutes);
  const createdAt = new Date().toISOString();
  const newRoutes: (Columns & Pick<GatewayRoute, '_id' | 'serviceId' | 'createdAt'>)[] = [];
  const newMethods: Pick<GatewayRouteMethod, 'routeId' | 'method' | 'originKey'>[] = [];
  const updates: RouteUpdate[] = [];
  const ids: string[] = [];
  for (const { method, originKey, columns } of importedRoutes) {
    const existingRoute = existingRoutes.get(formatIdentity(method, originKey));
    if (existingRoute && existingRoute.serviceId !== service._id) throw createConflict(columns.origin);
    const isSame = existingRoute && !isChanged(existingRoute, columns);
    if (existingRoute && (isSame || existingRoute.methods.length === 1)) {
      if (!isSame) updates.push({ stored: existingRoute, columns });
      ids.push(existingRoute._id);
      continue;
    }
    if (existingRoute) await removeMethod(manager, existingRoute, method);
    const _id = uuid();
    newRoutes.push({ _id, serviceId: service._id, ...columns, createdAt });
    newMethods.push({ routeId: _id, method, originKey });
    ids.push(_id);
  }
  await updateRoutes(manager, updates);
  for (const rows of chunks(newRoutes)) await manager.insert(GatewayRoute, rows);
  for (const rows of chunks(newMethods)) await manager.insert(GatewayRouteMethod, rows);
  return ids;
}
