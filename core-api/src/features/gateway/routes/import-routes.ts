import { type EntityManager, In } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { recordInserted } from '../../../platform/audit/audit-recorder';
import { chunks } from '../../../platform/chunks';
import { insertAll } from '../../../platform/database/insert-all';
import { fieldError } from '../../../platform/errors';
import type { HttpMethod } from '../../../routing/http-method';
import { formatOriginKey, parsePattern } from '../../../routing/route-pattern';
import { GatewayRoute, GatewayRouteMethod } from './route.entity';
import { routeMessages as messages } from './routes.messages';
import type { ImportBody } from './routes.schema';

/** Columns of an imported route, which has one method. */
type Columns = Pick<GatewayRoute, 'origin' | 'destination' | 'permission'>;

interface ImportedRoute {
  method: HttpMethod;
  key: string;
  columns: Columns;
}

const formatIdentity = (method: string, key: string) => `${method} ${key}`;

/** Origin `/{service}{path}`, destination `path` (product §3). @throws RuleError invalid, conflict */
function toImportedRoutes(rows: ImportBody['routes'], serviceName: string): ImportedRoute[] {
  const identities = new Set<string>();
  return rows.map(({ method, path, permission }) => {
    const origin = `/${serviceName}${path}`.replace(/\/$/, '');
    const pattern = parsePattern(origin);
    if (!pattern) throw fieldError('invalid', 'routes', messages.origin);
    const key = formatOriginKey(pattern);
    if (identities.has(formatIdentity(method, key))) throw createConflict(origin);
    identities.add(formatIdentity(method, key));
    return { method, key, columns: { origin, destination: path, permission } };
  });
}

const createConflict = (origin: string) => fieldError('conflict', 'origin', messages.taken(origin));

/** Existing routes with one of the wanted methods and origins, by method and origin. */
async function findExistingRoutes(
  manager: EntityManager,
  importedRoutes: readonly ImportedRoute[],
): Promise<Map<string, GatewayRoute>> {
  const existingRoutes = new Map<string, GatewayRoute>();
  const routes = new Map<string, GatewayRoute>();
  for (const keys of chunks([...new Set(importedRoutes.map(({ key }) => key))])) {
    const stored = await manager.find(GatewayRouteMethod, {
      where: { originKey: In(keys) },
      relations: { route: { methods: true } },
    });
    for (const { method, originKey: key, routeId, route } of stored) {
      const existing = routes.get(routeId) ?? route;
      routes.set(routeId, existing);
      existingRoutes.set(formatIdentity(method, key), existing);
    }
  }
  return existingRoutes;
}

/** Removes routes; missing ones are ignored. @throws RuleError invalid for a route of another service */
async function removeRoutes(manager: EntityManager, serviceId: string, ids: readonly string[]): Promise<void> {
  for (const chunk of chunks(ids)) {
    const stored = await manager.find(GatewayRoute, {
      where: { _id: In(chunk) },
      select: { _id: true, serviceId: true },
    });
    if (stored.some((route) => route.serviceId !== serviceId)) throw fieldError('invalid', 'remove', messages.notOwn);
    await manager.delete(GatewayRoute, { _id: In(chunk) });
  }
}

/** An import increments the version without `If-Match`, because nobody has seen the rows that it updates. */
const NEXT_VERSION = () => 'version + 1';

/**
 * Updates routes with one statement per permission if only the permission changed, which is the common case. The origin
 * is updated together with the destination, because the destination may refer to new names of its parameters.
 */
async function updateRoutes(
  manager: EntityManager,
  updates: readonly { _id: string; stored: Columns; columns: Columns }[],
) {
  const byPermission = new Map<string, string[]>();
  for (const { _id, stored: oldColumns, columns } of updates) {
    if (oldColumns.destination === columns.destination && oldColumns.origin === columns.origin) {
      const ids = byPermission.get(columns.permission) ?? [];
      ids.push(_id);
      byPermission.set(columns.permission, ids);
    } else await manager.update(GatewayRoute, { _id }, { ...columns, version: NEXT_VERSION });
  }
  for (const [permission, ids] of byPermission) {
    for (const chunk of chunks(ids))
      await manager.update(GatewayRoute, { _id: In(chunk) }, { permission, version: NEXT_VERSION });
  }
}

const isChanged = (route: GatewayRoute, { destination, permission }: Columns): boolean =>
  route.destination !== destination || route.permission !== permission;

/**
 * Makes the routes of a service match `rows`, after removing `remove`. A route whose method and origin exist is kept,
 * with the new destination and permission. If that route has further methods, only this method moves to a new route.
 * @returns the ids of the routes, in the order of the rows
 * @throws RuleError invalid; conflict if a method and origin belong to another service
 */
export async function importRoutes(
  manager: EntityManager,
  service: { _id: string; name: string },
  { routes: rows, remove }: Pick<ImportBody, 'routes' | 'remove'>,
): Promise<string[]> {
  const importedRoutes = toImportedRoutes(rows, service.name);
  await removeRoutes(manager, service._id, remove);
  const existingRoutes = await findExistingRoutes(manager, importedRoutes);
  const createdAt = new Date().toISOString();
  const inserted: (Columns & Pick<GatewayRoute, '_id' | 'serviceId' | 'createdAt'>)[] = [];
  const methods: Pick<GatewayRouteMethod, 'routeId' | 'method' | 'originKey'>[] = [];
  const updates: { _id: string; stored: Columns; columns: Columns }[] = [];
  const ids: string[] = [];
  for (const { method, key, columns } of importedRoutes) {
    const existing = existingRoutes.get(formatIdentity(method, key));
    if (existing && existing.serviceId !== service._id) throw createConflict(columns.origin);
    if (existing && !isChanged(existing, columns)) ids.push(existing._id);
    else if (existing && existing.methods.length === 1) {
      updates.push({ _id: existing._id, stored: existing, columns });
      ids.push(existing._id);
    } else {
      if (existing) {
        await manager.delete(GatewayRouteMethod, { routeId: existing._id, method });
        existing.methods = existing.methods.filter((row) => row.method !== method);
      }
      const _id = uuid();
      inserted.push({ _id, serviceId: service._id, ...columns, createdAt });
      methods.push({ routeId: _id, method, originKey: key });
      ids.push(_id);
    }
  }
  await updateRoutes(manager, updates);
  await recordInserted(manager, GatewayRoute, inserted);
  await insertAll(manager, GatewayRoute, inserted);
  await insertAll(manager, GatewayRouteMethod, methods);
  return ids;
}
