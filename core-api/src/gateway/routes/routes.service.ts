import type { EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { takenAs } from '../../database/conflicts';
import { recordChange } from '../../database/revision';
import type { Database } from '../../database/source';
import { RuleError } from '../../http/errors';
import { canFill, originKey, parsePattern, type RoutePattern } from '../../rules/route-pattern';
import { GatewayService } from '../services/service.entity';
import { GatewayRoute, GatewayRouteMethod, type HttpMethod, httpMethods } from './route.entity';
import { routeMessages as messages } from './routes.messages';
import type { ImportBody, RouteBody, RouteChanges } from './routes.schema';

/** A route as it is answered. */
export interface Route extends Omit<GatewayRoute, 'methods'> {
  methods: HttpMethod[];
}

const invalid = (field: string, sentence: string) =>
  new RuleError('invalid', sentence, { fields: { [field]: sentence } });

const present = (row: GatewayRoute): Route => ({
  ...row,
  methods: httpMethods.filter((method) => row.methods.some((own) => own.method === method)),
});

export class RoutesService {
  constructor(private readonly database: Database) {}

  async list(): Promise<Route[]> {
    const rows = await this.database.read.find(GatewayRoute, {
      relations: { service: true, methods: true },
      relationLoadStrategy: 'query',
      order: { origin: 'ASC', _id: 'ASC' },
    });
    return rows.map(present);
  }

  async create(body: RouteBody): Promise<Route> {
    return this.database.write((manager) => insertRoute(manager, body));
  }

  async update(id: string, changes: RouteChanges): Promise<Route> {
    return this.database.write(async (manager) => {
      const found = await findRoute(manager, id);
      const body: RouteBody = {
        serviceId: changes.serviceId ?? found.serviceId,
        origin: changes.origin ?? found.origin,
        destination: changes.destination ?? found.destination,
        methods: changes.methods ?? found.methods,
        permission: changes.permission ?? found.permission,
      };
      const service = await serviceOf(manager, body.serviceId);
      const { methods, ...columns } = body;
      const key = checkPatterns(body);
      await manager.delete(GatewayRouteMethod, { routeId: id });
      await manager.update(GatewayRoute, { _id: id }, columns);
      await insertMethods(manager, id, body, key);
      await recordChange(manager, 'route', id);
      return { ...found, ...columns, service, methods };
    });
  }

  async remove(id: string): Promise<void> {
    await this.database.write(async (manager) => {
      await findRoute(manager, id);
      await manager.delete(GatewayRoute, { _id: id });
      await recordChange(manager, 'route', id);
    });
  }

  /** Routes of a manifest: origin `/{service}{path}`, destination the path (product-spec §3). */
  async import({ serviceId, routes }: ImportBody): Promise<Route[]> {
    return this.database.write(async (manager) => {
      const { name } = await serviceOf(manager, serviceId);
      const created: Route[] = [];
      for (const { method, path, permission } of routes) {
        const origin = `/${name}${path}`.replace(/\/$/, '');
        created.push(
          await insertRoute(manager, { serviceId, origin, destination: path, methods: [method], permission }),
        );
      }
      return created;
    });
  }
}

async function insertRoute(manager: EntityManager, body: RouteBody): Promise<Route> {
  const service = await serviceOf(manager, body.serviceId);
  const key = checkPatterns(body);
  const { methods, ...columns } = body;
  const row = { _id: uuid(), ...columns, createdAt: new Date().toISOString() };
  await manager.insert(GatewayRoute, row);
  await insertMethods(manager, row._id, body, key);
  await recordChange(manager, 'route', row._id);
  return { ...row, methods, service };
}

async function insertMethods(manager: EntityManager, routeId: string, { methods, origin }: RouteBody, key: string) {
  const rows = methods.map((method) => ({ routeId, method, originKey: key }));
  await manager.insert(GatewayRouteMethod, rows).catch(takenAs('origin', messages.taken(origin)));
}

/** The origin's key, once the destination can be filled from it. @throws RuleError invalid */
function checkPatterns({ origin, destination }: RouteBody): string {
  const [from, to] = [patternOf(origin, 'origin'), patternOf(destination, 'destination')];
  if (!canFill(to, from)) throw invalid('destination', messages.unfilled);
  return originKey(from);
}

function patternOf(text: string, field: 'origin' | 'destination'): RoutePattern {
  const pattern = parsePattern(text);
  if (!pattern) throw invalid(field, messages[field]);
  return pattern;
}

async function serviceOf(manager: EntityManager, serviceId: string): Promise<GatewayService> {
  const service = await manager.findOneBy(GatewayService, { _id: serviceId });
  if (!service) throw invalid('serviceId', messages.unknownService);
  return service;
}

async function findRoute(manager: EntityManager, id: string): Promise<Route> {
  const found = await manager.findOne(GatewayRoute, {
    where: { _id: id },
    relations: { service: true, methods: true },
  });
  if (!found) throw new RuleError('notFound', messages.notFound);
  return present(found);
}
