import type { EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { recordConfigChange, recordFullReload } from '../../../platform/config-revisions/config-revisions';
import { editRow } from '../../../platform/database/changes/apply-changes';
import type { ChangeContext, Database } from '../../../platform/database/database';
import { requireRow } from '../../../platform/database/queries/require-row';
import { mapUniqueViolation } from '../../../platform/database/queries/unique-violation';
import { createFieldError } from '../../../platform/errors/rule-error';
import { findHostRefusal } from '../../../platform/net/guarded-lookup';
import type { ServiceHost } from '../../../platform/net/service-host';
import { GatewayService } from './service.entity';
import { serviceMessages as messages } from './services.messages';
import type { ServiceBody, ServiceChanges } from './services.schema';

/** The functions belong to the routes and keys features, which depend on this feature. */
interface ServicesOptions {
  database: Database;
  ownPorts: readonly number[];
  /** Moves the origins below `/{from}` to `/{to}`. @returns whether any origin was moved */
  renameOrigins(manager: EntityManager, serviceId: string, names: { from: string; to: string }): Promise<boolean>;
  /** Finds the permission of each route of the service. The permission of a public route is empty. */
  findRoutePermissions(manager: EntityManager, serviceId: string): Promise<string[]>;
  countKeys(manager: EntityManager, permissions: readonly string[]): Promise<number>;
}

const mapNameConflict = (name = '') =>
  mapUniqueViolation({ 'gateway_services(name)': ['name', messages.nameTaken(name)] });

export class ServicesService {
  constructor(private readonly options: ServicesOptions) {}

  list(): Promise<GatewayService[]> {
    return this.options.database.read.find(GatewayService, { order: { name: 'ASC' } });
  }

  async findNames(): Promise<Map<string, string>> {
    return new Map((await this.list()).map(({ _id, name }) => [_id, name]));
  }

  async get(id: string): Promise<GatewayService> {
    return requireService(this.options.database.read, id);
  }

  async create(context: ChangeContext, { host, extraHosts, ...body }: ServiceBody): Promise<GatewayService> {
    const hosts = { host: await this.checkHost(host), extraHosts: await this.checkExtraHosts(extraHosts) };
    const row = { _id: uuid(), ...body, ...normalizeInstances(hosts), createdAt: new Date().toISOString(), version: 1 };
    return this.options.database
      .serializedWrite(context, async (manager) => {
        await manager.insert(GatewayService, row);
        await recordConfigChange(manager, 'service', row._id);
        return row;
      })
      .catch(mapNameConflict(row.name));
  }

  async update(
    context: ChangeContext,
    id: string,
    { renameRoutes, host, extraHosts, ...body }: ServiceChanges,
  ): Promise<GatewayService> {
    const changes = {
      ...body,
      host: host && (await this.checkHost(host)),
      extraHosts: extraHosts && (await this.checkExtraHosts(extraHosts)),
    };
    return this.options.database
      .serializedWrite(context, async (manager) => {
        const storedRow = await requireService(manager, id);
        const row = normalizeInstances(editRow(storedRow, changes, context));
        await manager.update(GatewayService, { _id: id }, row);
        const names = { from: storedRow.name, to: row.name };
        const hasMovedOrigins = renameRoutes && (await this.options.renameOrigins(manager, id, names));
        await (hasMovedOrigins ? recordFullReload(manager) : recordConfigChange(manager, 'service', id));
        return row;
      })
      .catch(mapNameConflict(body.name));
  }

  /** Removes a service with its routes. */
  async remove(context: ChangeContext, id: string): Promise<void> {
    await this.options.database.serializedWrite(context, async (manager) => {
      await requireService(manager, id);
      await manager.delete(GatewayService, { _id: id });
      await recordConfigChange(manager, 'service', id);
    });
  }

  /** Counts the routes of a service, and the keys that may call at least one of these routes. */
  async countDependents(id: string): Promise<{ routes: number; keys: number }> {
    const { read } = this.options.database;
    await requireService(read, id);
    const permissions = await this.options.findRoutePermissions(read, id);
    const distinctPermissions = [...new Set(permissions)].filter((permission) => permission !== '');
    return { routes: permissions.length, keys: await this.options.countKeys(read, distinctPermissions) };
  }

  private async checkExtraHosts(hosts: readonly ServiceHost[]): Promise<string[]> {
    return [...new Set(await Promise.all(hosts.map((host) => this.checkHost(host, 'extraHosts'))))];
  }

  /** Checks the addresses that the host resolves to now. @throws RuleError invalid */
  private async checkHost({ baseUrl, host, port }: ServiceHost, field = 'host'): Promise<string> {
    const refusal = await findHostRefusal(host, port, this.options.ownPorts);
    if (!refusal) return baseUrl;
    throw createFieldError('invalid', field, refusal === 'own' ? messages.ownPort : messages.forbiddenHost);
  }
}

export const findService = (manager: EntityManager, id: string): Promise<GatewayService | null> =>
  manager.findOneBy(GatewayService, { _id: id });

/**
 * Lists each instance once. All instances must have one path, because a request has the same path at every instance.
 * @throws RuleError invalid
 */
function normalizeInstances<Row extends Pick<GatewayService, 'host' | 'extraHosts'>>(row: Row): Row {
  const { pathname } = new URL(row.host);
  if (row.extraHosts.some((extraHost) => new URL(extraHost).pathname !== pathname)) {
    throw createFieldError('invalid', 'extraHosts', messages.extraHostPath);
  }
  return { ...row, extraHosts: row.extraHosts.filter((extraHost) => extraHost !== row.host) };
}

const requireService = (manager: EntityManager, id: string): Promise<GatewayService> =>
  requireRow(manager, GatewayService, { _id: id }, messages.notFound);
