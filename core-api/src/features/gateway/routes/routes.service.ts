import { type EntityManager, In, Not } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { recordConfigChange, recordFullReload } from '../../../platform/config-revisions/config-revisions';
import { editRow } from '../../../platform/database/changes/apply-changes';
import type { ChangeContext, Database } from '../../../platform/database/database';
import { findOrderedIds, SEARCH_SQL } from '../../../platform/database/queries/ordered-ids';
import { requireRow } from '../../../platform/database/queries/require-row';
import { mapUniqueViolation } from '../../../platform/database/queries/unique-violation';
import { createFieldError } from '../../../platform/errors/rule-error';
import { ListPages, toSqlDirection } from '../../../platform/http/lists/list-pages';
import { foldAccents } from '../../../platform/text/fold-accents';
import { type HttpMethod, httpMethods } from '../../../routing/http-method';
import { canFill, formatOriginKey, parsePattern, type RoutePattern } from '../../../routing/routes/route-pattern';
import { findService } from '../services';
import { importRoutes } from './import-routes';
import { createRouteSearchText, GatewayRoute, GatewayRouteMethod } from './route.entity';
import { routeMessages as messages } from './routes.messages';
import { type ImportBody, lacksPermission, type RouteBody, type RouteChanges, type RouteQuery } from './routes.schema';
import { writeSearchTexts } from './write-search-texts';

const SORTS: Record<RouteQuery['sortBy'], string> = {
  origin: 'row.origin',
  destination: 'row.destination',
  service: '(SELECT name FROM gateway_services WHERE gateway_services._id = row.serviceId)',
  permission: 'row.permission',
};

const SEARCH_CONDITIONS = [
  SEARCH_SQL,
  `row.serviceId IN (SELECT _id FROM gateway_services WHERE lower(name) LIKE :pattern ESCAPE '\\')`,
  `row._id IN (SELECT "routeId" FROM gateway_route_methods WHERE lower(method) LIKE :pattern ESCAPE '\\')`,
  `row.public AND '${foldAccents(messages.isPublic)}' LIKE :pattern ESCAPE '\\'`,
];

/** A route as REST returns it. */
export interface Route extends Omit<GatewayRoute, 'methods' | 'searchText'> {
  methods: HttpMethod[];
}

const toRoute = (row: GatewayRoute): Route => ({
  ...row,
  methods: httpMethods.filter((method) => row.methods.some((stored) => stored.method === method)),
});

export class RoutesService {
  constructor(private readonly database: Database) {}

  async list(query: RouteQuery): Promise<ListPages> {
    const { report } = this.database;
    const page = await findOrderedIds(report, GatewayRoute, {
      ...query,
      order: { by: SORTS[query.sortBy], direction: toSqlDirection(query) },
      searchConditions: SEARCH_CONDITIONS,
      restrict: (rows) => query.service && rows.andWhere('row.serviceId = :service', { service: query.service }),
    });
    return new ListPages({ ...page, fields: query.fields }, async (ids) => {
      const relations = { service: true, methods: true };
      const rows = await report.find(GatewayRoute, { where: { _id: In(ids) }, relations });
      return rows.map(toRoute);
    });
  }

  /** Returns names of routes by id. A name consists of the methods and the origin of the route. */
  async findNames(ids: readonly string[]): Promise<Map<string, string>> {
    const where = { _id: In([...ids]) };
    const rows = await this.database.read.find(GatewayRoute, { where, relations: { methods: true } });
    return new Map(rows.map(toRoute).map(({ _id, methods, origin }) => [_id, `${methods.join(', ')} ${origin}`]));
  }

  async findPermissionsOfOtherServices(serviceId: string): Promise<string[]> {
    const where = { serviceId: Not(serviceId), public: false };
    const routes = await this.database.read.find(GatewayRoute, { select: { _id: true, permission: true }, where });
    return routes.map(({ permission }) => permission);
  }

  /** Finds a route with its service. */
  find(id: string): Promise<GatewayRoute | null> {
    return this.database.read.findOne(GatewayRoute, { where: { _id: id }, relations: { service: true } });
  }

  async create(context: ChangeContext, body: RouteBody): Promise<Route> {
    const { methods, ...fields } = body;
    const newFields = { _id: uuid(), createdAt: new Date().toISOString(), version: 1 };
    const columns = { ...newFields, ...fields, searchText: createRouteSearchText(fields) };
    return this.database.serializedWrite(context, async (manager) => {
      const service = await requireService(manager, body.serviceId);
      const originKey = toOriginKey(body);
      await manager.insert(GatewayRoute, columns);
      await insertMethods(manager, columns._id, body, originKey);
      await recordConfigChange(manager, 'route', columns._id);
      return { ...columns, methods, service };
    });
  }

  async update(context: ChangeContext, id: string, changes: RouteChanges): Promise<Route> {
    return this.database.serializedWrite(context, async (manager) => {
      const editedRow = editRow(await requireRoute(manager, id), changes, context);
      if (lacksPermission(editedRow)) throw createFieldError('invalid', 'permission', messages.permission);
      const service = await requireService(manager, editedRow.serviceId);
      const { methods, service: _service, ...columns } = editedRow;
      const originKey = toOriginKey(editedRow);
      await manager.delete(GatewayRouteMethod, { routeId: id });
      await manager.update(GatewayRoute, { _id: id }, { ...columns, searchText: createRouteSearchText(editedRow) });
      await insertMethods(manager, id, editedRow, originKey);
      await recordConfigChange(manager, 'route', id);
      return { ...columns, service, methods };
    });
  }

  get(id: string): Promise<Route> {
    return requireRoute(this.database.read, id);
  }

  async remove(context: ChangeContext, id: string): Promise<void> {
    await this.database.serializedWrite(context, async (manager) => {
      await requireRoute(manager, id);
      await manager.delete(GatewayRoute, { _id: id });
      await recordConfigChange(manager, 'route', id);
    });
  }

  /**
   * Imports the routes of a manifest, all or none. @returns the created, changed and unchanged routes in the order of
   * the body
   */
  async import(context: ChangeContext, body: ImportBody): Promise<Route[]> {
    return this.database.serializedWrite(context, async (manager) => {
      const service = await requireService(manager, body.serviceId);
      const ids = await importRoutes(manager, service, body);
      await writeSearchTexts(manager, service._id);
      await recordFullReload(manager);
      return findRoutesInOrder(manager, service._id, ids);
    });
  }
}

/** Finds the permission of each route of a service; empty for a public route. */
export async function findRoutePermissions(manager: EntityManager, serviceId: string): Promise<string[]> {
  const routes = await manager.findBy(GatewayRoute, { serviceId });
  return routes.map((route) => (route.public ? '' : route.permission));
}

type MethodsOfOrigin = Pick<RouteBody, 'methods' | 'origin'>;

async function insertMethods(
  manager: EntityManager,
  routeId: string,
  { methods, origin }: MethodsOfOrigin,
  originKey: string,
) {
  const rows = methods.map((method) => ({ routeId, method, originKey }));
  await manager
    .insert(GatewayRouteMethod, rows)
    .catch(mapUniqueViolation({ 'gateway_route_methods(originKey, method)': ['origin', messages.routeTaken(origin)] }));
}

/** Returns the `originKey` of a route. @throws RuleError invalid if the destination cannot be filled from the origin */
function toOriginKey({ origin, destination }: Pick<RouteBody, 'origin' | 'destination'>): string {
  const originPattern = requirePattern(origin, 'origin');
  if (!canFill(requirePattern(destination, 'destination'), originPattern))
    throw createFieldError('invalid', 'destination', messages.unfilled);
  return formatOriginKey(originPattern);
}

function requirePattern(text: string, field: 'origin' | 'destination'): RoutePattern {
  const pattern = parsePattern(text);
  if (!pattern) throw createFieldError('invalid', field, messages[field]);
  return pattern;
}

async function requireService(manager: EntityManager, serviceId: string) {
  const service = await findService(manager, serviceId);
  if (!service) throw createFieldError('invalid', 'serviceId', messages.unknownService);
  return service;
}

/** Finds routes of one service, in the order of `ids`. */
async function findRoutesInOrder(manager: EntityManager, serviceId: string, ids: readonly string[]): Promise<Route[]> {
  const rows = await manager.find(GatewayRoute, { where: { serviceId }, relations: { service: true, methods: true } });
  const routesById = new Map(rows.map((row) => [row._id, toRoute(row)]));
  return ids.flatMap((id) => routesById.get(id) ?? []);
}

const requireRoute = (manager: EntityManager, id: string): Promise<Route> =>
  requireRow(manager, GatewayRoute, { _id: id }, messages.notFound, { service: true, methods: true }).then(toRoute);
