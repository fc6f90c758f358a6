import { type EntityManager, In } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { recordChange, recordEverything } from '../../configuration/configuration.service';
import { applyChanges, nextVersion } from '../../database/apply-changes';
import { takenAs } from '../../database/conflicts';
import type { ChangeContext, Database } from '../../database/source';
import { fieldError, RuleError } from '../../errors';
import { type HttpMethod, httpMethods } from '../../rules/http-method';
import { canFill, originKey, parsePattern, type RoutePattern } from '../../rules/route-pattern';
import { findService } from '../services/services.service';
import { importRoutes } from './import-routes';
import { GatewayRoute, GatewayRouteMethod } from './route.entity';
import { routeMessages as messages } from './routes.messages';
import { type ImportBody, needsPermission, type RouteBody, type RouteChanges } from './routes.schema';

/** A route as it is answered. */
export interface Route extends Omit<GatewayRoute, 'methods'> {
  methods: HttpMethod[];
}

const present = (row: GatewayRoute): Route => ({
  ...row,
  methods: httpMethods.filter((method) => row.methods.some((own) => own.method === method)),
});

export class RoutesService {
  constructor(private readonly database: Database) {}

  async list(): Promise<Route[]> {
    const rows = await this.database.read.find(GatewayRoute, {
      relations: { service: true, methods: true },
      order: { origin: 'ASC', _id: 'ASC' },
    });
    return rows.map(present);
  }

  /** Methods and origin by id. */
  async names(ids: readonly string[]): Promise<Map<string, string>> {
    const rows = await this.database.read.find(GatewayRoute, {
      where: { _id: In([...ids]) },
      relations: { methods: true },
    });
    return new Map(rows.map(present).map(({ _id, methods, origin }) => [_id, `${methods.join(', ')} ${origin}`]));
  }

  /** With its service. */
  find(id: string): Promise<GatewayRoute | null> {
    return this.database.read.findOne(GatewayRoute, { where: { _id: id }, relations: { service: true } });
  }

  async create(context: ChangeContext, body: RouteBody): Promise<Route> {
    return this.database.change(context, (manager) => insertRoute(manager, body));
  }

  async update(context: ChangeContext, id: string, changes: RouteChanges): Promise<Route> {
    return this.database.change(context, async (manager) => {
      const found = await findRoute(manager, id);
      const { serviceId, origin, destination, methods: before, permission, public: open } = found;
      const body = applyChanges<RouteBody>(
        { serviceId, origin, destination, methods: before, permission, public: open },
        changes,
      );
      if (needsPermission(body)) throw fieldError('invalid', 'permission', messages.permission);
      const service = await serviceOf(manager, body.serviceId);
      const { methods, ...fields } = body;
      const columns = { ...fields, version: nextVersion(found, context) };
      const key = checkPatterns(body);
      await manager.delete(GatewayRouteMethod, { routeId: id });
      await manager.update(GatewayRoute, { _id: id }, columns);
      await insertMethods(manager, id, body, key);
      await recordChange(manager, 'route', id);
      return { ...found, ...columns, service, methods };
    });
  }

  async remove(context: ChangeContext, id: string): Promise<void> {
    await this.database.change(context, async (manager) => {
      await findRoute(manager, id);
      await manager.delete(GatewayRoute, { _id: id });
      await recordChange(manager, 'route', id);
    });
  }

  /** Routes of a manifest, in the order of the body: created, changed, or as they were. All or nothing. */
  async import(context: ChangeContext, body: ImportBody): Promise<Route[]> {
    return this.database.change(context, async (manager) => {
      const service = await serviceOf(manager, body.serviceId);
      const ids = await importRoutes(manager, service, body);
      await recordEverything(manager);
      return routesOf(manager, service._id, ids);
    });
  }
}

/** One for each route of a service, empty where it is public. */
export async function routePermissions(manager: EntityManager, serviceId: string): Promise<string[]> {
  const routes = await manager.findBy(GatewayRoute, { serviceId });
  return routes.map((route) => (route.public ? '' : route.permission));
}

async function insertRoute(manager: EntityManager, body: RouteBody): Promise<Route> {
  const service = await serviceOf(manager, body.serviceId);
  const key = checkPatterns(body);
  const { methods, ...columns } = body;
  const row = { _id: uuid(), ...columns, createdAt: new Date().toISOString(), version: 1 };
  await manager.insert(GatewayRoute, row);
  await insertMethods(manager, row._id, body, key);
  await recordChange(manager, 'route', row._id);
  return { ...row, methods, service };
}

async function insertMethods(manager: EntityManager, routeId: string, { methods, origin }: RouteBody, key: string) {
  const rows = methods.map((method) => ({ routeId, method, originKey: key }));
  await manager
    .insert(GatewayRouteMethod, rows)
    .catch(takenAs({ 'gateway_route_methods(originKey, method)': ['origin', messages.taken(origin)] }));
}

/** The origin's key, once the destination can be filled from it. @throws RuleError invalid */
function checkPatterns({ origin, destination }: RouteBody): string {
  const [from, to] = [patternOf(origin, 'origin'), patternOf(destination, 'destination')];
  if (!canFill(to, from)) throw fieldError('invalid', 'destination', messages.unfilled);
  return originKey(from);
}

function patternOf(text: string, field: 'origin' | 'destination'): RoutePattern {
  const pattern = parsePattern(text);
  if (!pattern) throw fieldError('invalid', field, messages[field]);
  return pattern;
}

async function serviceOf(manager: EntityManager, serviceId: string) {
  const service = await findService(manager, serviceId);
  if (!service) throw fieldError('invalid', 'serviceId', messages.unknownService);
  return service;
}

/** Routes of one service by id, in the order of `ids`. */
async function routesOf(manager: EntityManager, serviceId: string, ids: readonly string[]): Promise<Route[]> {
  const rows = await manager.find(GatewayRoute, {
    where: { serviceId },
    relations: { service: true, methods: true },
  });
  const byId = new Map(rows.map((row) => [row._id, present(row)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

async function findRoute(manager: EntityManager, id: string): Promise<Route> {
  const found = await manager.findOne(GatewayRoute, {
    where: { _id: id },
    relations: { service: true, methods: true },
  });
  if (!found) throw new RuleError('notFound', messages.notFound);
  return present(found);
}
