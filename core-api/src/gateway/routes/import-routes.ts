import { type EntityManager, In } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { insertAll } from '../../database/insert-all';
import { recordInserted } from '../../database/trail';
import { fieldError } from '../../errors';
import type { HttpMethod } from '../../rules/http-method';
import { originKey, parsePattern } from '../../rules/route-pattern';
import { GatewayRoute, GatewayRouteMethod } from './route.entity';
import { routeMessages as messages } from './routes.messages';
import type { ImportBody } from './routes.schema';

type ImportRow = ImportBody['routes'][number];
/** What an imported row says of a route: it has one method. */
type Columns = Pick<GatewayRoute, 'origin' | 'destination' | 'permission'>;

interface Wanted {
  method: HttpMethod;
  key: string;
  columns: Columns;
}

const CHUNK = 500;
const chunks = <Item>(items: readonly Item[]): Item[][] =>
  Array.from({ length: Math.ceil(items.length / CHUNK) }, (_, index) =>
    items.slice(index * CHUNK, (index + 1) * CHUNK),
  );

const identity = (method: string, key: string) => `${method} ${key}`;

/** Origin `/{service}{path}`, destination the path (product-spec §3). @throws RuleError invalid, conflict */
function wantedOf(rows: readonly ImportRow[], serviceName: string): Wanted[] {
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

/** The routes that have one of the wanted methods and origins now, by both. */
async function ownersOf(manager: EntityManager, wanted: readonly Wanted[]): Promise<Map<string, GatewayRoute>> {
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

/** Routes that are gone already are passed over. @throws RuleError invalid for a route of another service */
async function removeRoutes(manager: EntityManager, serviceId: string, ids: readonly string[]): Promise<void> {
  for (const some of chunks(ids)) {
    const found = await manager.find(GatewayRoute, {
      where: { _id: In(some) },
      select: { _id: true, serviceId: true },
    });
    if (found.some((route) => route.serviceId !== serviceId)) throw fieldError('invalid', 'remove', messages.notOwn);
    await manager.delete(GatewayRoute, { _id: In(some) });
  }
}

/** Nobody has seen a version of what an import brings up to date, so it asks for none. */
const ONE_ON = () => 'version + 1';

/** One statement per permission where nothing else differs, which is what an import mostly finds. The origin goes along:
 * its parameters may have other names now, by which the destination is filled. */
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
    } else await manager.update(GatewayRoute, { _id }, { ...columns, version: ONE_ON });
  }
  for (const [permission, ids] of byPermission) {
    for (const some of chunks(ids))
      await manager.update(GatewayRoute, { _id: In(some) }, { permission, version: ONE_ON });
  }
}

const differs = (route: GatewayRoute, { destination, permission }: Columns): boolean =>
  route.destination !== destination || route.permission !== permission;

/**
 * Brings the routes of a service to what `rows` say, after removing `remove`: a method and origin that the service has
 * already keeps its route and takes the new destination and permission; where that route has further methods, only this
 * one leaves it for a route of its own.
 * @returns the ids of the routes, in the order of the rows
 * @throws RuleError invalid; conflict where a method and origin belong to another service
 */
export async function importRoutes(
  manager: EntityManager,
  service: { _id: string; name: string },
  { routes: rows, remove }: Pick<ImportBody, 'routes' | 'remove'>,
): Promise<string[]> {
  const wanted = wantedOf(rows, service.name);
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
