import { type EntityManager, In } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { recordInserted } from '../../../platform/audit/audit-recorder';
import { chunks } from '../../../platform/chunks';
import { insertAll } from '../../../platform/database/insert-all';
import { fieldError } from '../../../platform/errors';
import type { HttpMethod } from '../../../routing/http-method';
import { originKey, parsePattern } from '../../../routing/route-pattern';
import { GatewayRoute, GatewayRouteMethod } from './route.entity';
import { routeMessages as messages } from './routes.messages';
import type { ImportBody } from './routes.schema';

/** Columns of an imported route, which has one method. */
type Columns = Pick<GatewayRoute, 'origin' | 'destination' | 'permission'>;

interface WantedRoute {
  method: HttpMethod;
  key: string;
  columns: Columns;
}

const identity = (method: string, key: string) => `${method} ${key}`;

/** Origin `/{service}{path}`, destination `path` (product §3). @throws RuleError invalid, conflict */
function toWantedRoutes(rows: ImportBody['routes'], serviceName: string): WantedRoute[] {
  const seen = new Set<string>();
  return rows.map(({ method, path, permission }) => {
    const origin = `/${serviceName}${path}`.replace(/\/$/, '');
    const pattern = parsePattern(origin);
    if (!pattern) throw fieldError('invalid', 'routes', messages.origin);
    const key = originKey(pattern);
    if (seen.has(identity(method, key))) throw conflict(origin);
    seen.add(identity(method, key));
    return { method, key, columns: { origin, destination: path, permission } };
  });
}

const conflict = (origin: string) => fieldError('conflict', 'origin', messages.taken(origin));

/** Existing routes with one of the wanted methods and origins, by method and origin. */
async function ownersOf(manager: EntityManager, wanted: readonly WantedRoute[]): Promise<Map<string, GatewayRoute>> {
  const owners = new Map<string, GatewayRoute>();
  const routes = new Map<string, GatewayRoute>();
  for (const keys of chunks([...new Set(wanted.map(({ key }) => key))])) {
    const found = await manager.find(GatewayRouteMethod, {
      where: { originKey: In(keys) },
      relations: { route: { methods: true } },
    });
    for (const { method, originKey: key, routeId, route } of found) {
      const known = routes.get(routeId) ?? route;
      routes.set(routeId, known);
      owners.set(identity(method, key), known);
    }
  }
  return owners;
}

/** Removes routes; missing ones are ignored. @throws RuleError invalid for a route of another service */
async function removeRoutes(manager: EntityManager, serviceId: string, ids: readonly string[]): Promise<void> {
  for (const chunk of chunks(ids)) {
    const found = await manager.find(GatewayRoute, {
      where: { _id: In(chunk) },
      select: { _id: true, serviceId: true },
    });
    if (found.some((route) => route.serviceId !== serviceId)) throw fieldError('invalid', 'remove', messages.notOwn);
    await manager.delete(GatewayRoute, { _id: In(chunk) });
  }
}

/** An import increments the version without `If-Match`, because nobody has seen the rows that it updates. */
const NEXT_VERSION = () => 'version + 1';

/**
 * Updates routes: one statement per permission if only the permission changed, which is the common case. The origin is
 * updated with the destination, because its parameters may have new names, which the destination refers to.
 */
async function updateRoutes(
  manager: EntityManager,
  updates: readonly { _id: string; old: Columns; columns: Columns }[],
) {
  const byPermission = new Map<string, string[]>();
  for (const { _id, old, columns } of updates) {
    if (old.destination === columns.destination && old.origin === columns.origin) {
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

const differs = (route: GatewayRoute, { destination, permission }: Columns): boolean =>
  route.destination !== destination || route.permission !== permission;

/**
 * Makes the routes of a service match `rows`, after removing `remove`. A method and origin that the service already has
 * keeps its route and takes the new destination and permission. If that route has further methods, only this method
 * moves to a route of its own.
 * @returns the ids of the routes, in the order of the rows
 * @throws RuleError invalid; conflict if a method and origin belong to another service
 */
export async function importRoutes(
  manager: EntityManager,
  service: { _id: string; name: string },
  { routes: rows, remove }: Pick<ImportBody, 'routes' | 'remove'>,
): Promise<string[]> {
  const wanted = toWantedRoutes(rows, service.name);
  await removeRoutes(manager, service._id, remove);
  const owners = await ownersOf(manager, wanted);
  const createdAt = new Date().toISOString();
  const inserted: (Columns & Pick<GatewayRoute, '_id' | 'serviceId' | 'createdAt'>)[] = [];
  const methods: Pick<GatewayRouteMethod, 'routeId' | 'method' | 'originKey'>[] = [];
  const updates: { _id: string; old: Columns; columns: Columns }[] = [];
  const ids: string[] = [];
  for (const { method, key, columns } of wanted) {
    const owner = owners.get(identity(method, key));
    if (owner && owner.serviceId !== service._id) throw conflict(columns.origin);
    if (owner && !differs(owner, columns)) ids.push(owner._id);
    else if (owner && owner.methods.length === 1) {
      updates.push({ _id: owner._id, old: owner, columns });
      ids.push(owner._id);
    } else {
      if (owner) {
        await manager.delete(GatewayRouteMethod, { routeId: owner._id, method });
        owner.methods = owner.methods.filter((one) => one.method !== method);
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
