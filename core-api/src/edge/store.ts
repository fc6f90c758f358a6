import { type EntityManager, In, LessThan, MoreThan } from 'typeorm';
import type { Config } from '../config';
import { ConfigurationChange, ConfigurationRevision, type ConfiguredEntity } from '../database/revision';
import { createDatabase } from '../database/source';
import { ApiKey } from '../gateway/keys/key.entity';
import { GatewayRoute } from '../gateway/routes/route.entity';
import { GatewayService } from '../gateway/services/service.entity';
import { UsageBatch, UsageMinute } from '../gateway/usage/usage.entity';
import { Project } from '../projects/project.entity';
import { Subdomain } from '../subdomains/subdomain.entity';
import { Tenant } from '../tenants/tenant.entity';
import type { KeyUsage } from './gateway/count';
import type { ConfigurationUpdate, RowChange } from './snapshot/rows';

/** Ids of the rows to load; absent loads all. */
type Ids = string[] | undefined;
type Loaders = { [Entity in ConfiguredEntity]: (manager: EntityManager, ids: Ids) => Promise<RowChange[]> };

const by = (ids: Ids) => (ids ? { _id: In(ids) } : {});

const loaders: Loaders = {
  async subdomain(manager, ids) {
    const rows = await manager.findBy(Subdomain, by(ids));
    return rows.map(({ _id: id, description: _description, createdAt: _createdAt, ...row }) => ({
      entity: 'subdomain',
      id,
      row: { id, ...row },
    }));
  },
  async project(manager, ids) {
    const rows = await manager.findBy(Project, by(ids));
    return rows.map(({ _id: id, type, apiPort, staticPath }) => ({
      entity: 'project',
      id,
      row: { id, type, apiPort, staticPath },
    }));
  },
  async tenant(manager, ids) {
    const rows = await manager.findBy(Tenant, by(ids));
    return rows.map(({ _id: id, projectId, subdomain, dbName, customDomain }) => ({
      entity: 'tenant',
      id,
      row: { id, projectId, subdomain, dbName, customDomain },
    }));
  },
  async service(manager, ids) {
    const rows = await manager.findBy(GatewayService, by(ids));
    return rows.map(({ _id: id, host }) => ({ entity: 'service', id, row: { id, host } }));
  },
  async route(manager, ids) {
    const rows = await manager.find(GatewayRoute, {
      where: by(ids),
      relations: { methods: true },
      relationLoadStrategy: 'query',
    });
    return rows.map(({ _id: id, serviceId, origin, destination, permission, methods }) => ({
      entity: 'route',
      id,
      row: { id, serviceId, origin, destination, permission, methods: methods.map(({ method }) => method) },
    }));
  },
  async key(manager, ids) {
    const rows = await manager.findBy(ApiKey, by(ids));
    return rows.map(({ _id: id, digest, permissions, allowedIps }) => ({
      entity: 'key',
      id,
      row: { id, digest, permissions, allowedIps },
    }));
  },
};

const entities: ConfiguredEntity[] = ['project', 'tenant', 'subdomain', 'service', 'route', 'key'];
const ADD_TO_MINUTE = `("keyId", minute) DO UPDATE SET ${['requests', 'errors4xx', 'errors5xx', 'durationMs']
  .map((column) => `"${column}" = usage_minutes."${column}" + excluded."${column}"`)
  .join(', ')}`;
const HISTORY = 30 * 24 * 3600 * 1000;

/** The edge's way to the database: reads configuration, adds usage. */
export class Store {
  private readonly database;

  constructor(config: Config) {
    this.database = createDatabase(config);
  }

  async open(): Promise<void> {
    await this.database.open();
  }

  /** False until the core has brought the schema up to date. */
  isReady(): Promise<boolean> {
    return this.database.isReady();
  }

  close(): Promise<void> {
    return this.database.close();
  }

  /**
   * What changed after `known`, or everything when `known` is unset, lies too far back or ahead (a restored backup).
   * Nothing when there is no change. The revision is read before the rows, so that a later change is seen next time.
   */
  async updateSince(known: number | undefined): Promise<ConfigurationUpdate | undefined> {
    const manager = this.database.read;
    const { value: revision } = await manager.findOneByOrFail(ConfigurationRevision, { id: 1 });
    if (revision === known) return undefined;
    const changes =
      known !== undefined && known < revision
        ? await manager.find(ConfigurationChange, { where: { revision: MoreThan(known) }, order: { revision: 'ASC' } })
        : [];
    const complete = known !== undefined && changes[0]?.revision === known + 1;
    if (!complete) return { revision, whole: true, changes: await this.loadAll(manager) };
    return {
      revision: changes.at(-1)?.revision ?? revision,
      whole: false,
      changes: await this.loadChanged(manager, changes),
    };
  }

  private async loadAll(manager: EntityManager): Promise<RowChange[]> {
    const loaded: RowChange[][] = [];
    for (const entity of entities) loaded.push(await loaders[entity](manager, undefined));
    return loaded.flat();
  }

  private async loadChanged(manager: EntityManager, changes: ConfigurationChange[]): Promise<RowChange[]> {
    const loaded: RowChange[] = [];
    for (const entity of entities) {
      const ids = [...new Set(changes.filter((change) => change.entity === entity).map(({ entityId }) => entityId))];
      if (ids.length === 0) continue;
      const present = await loaders[entity](manager, ids);
      const found = new Set(present.map(({ id }) => id));
      const removed = ids.filter((id) => !found.has(id)).map((id): RowChange => ({ entity, id, row: null }));
      loaded.push(...present, ...removed);
    }
    return loaded;
  }

  /** Adds a batch once: one that came in before, by its number, is skipped. */
  async addUsage(edgeId: string, sequence: number, usage: KeyUsage[]): Promise<void> {
    await this.database.write(async (manager) => {
      const last = await manager.findOneBy(UsageBatch, { edgeId });
      if (last && last.sequence >= sequence) return;
      for (const { keyId, count, lastUsedAt, minutes } of usage) {
        const { affected } = await manager
          .createQueryBuilder()
          .update(ApiKey)
          .set({
            usageCount: () => `"usageCount" + ${Number(count)}`,
            lastUsedAt: () => `CASE WHEN "lastUsedAt" > :lastUsedAt THEN "lastUsedAt" ELSE :lastUsedAt END`,
          })
          .where('_id = :keyId')
          .setParameters({ keyId, lastUsedAt })
          .execute();
        if (affected === 0) continue;
        for (const minute of minutes) {
          await manager
            .createQueryBuilder()
            .insert()
            .into(UsageMinute)
            .values({ keyId, ...minute, durationMs: Math.round(minute.durationMs) })
            .onConflict(ADD_TO_MINUTE)
            .execute();
        }
      }
      await manager.upsert(UsageBatch, { edgeId, sequence, deliveredAt: new Date().toISOString() }, ['edgeId']);
    });
  }

  /** Drops history older than 30 days and the marks of edges that have been gone as long. */
  async prune(): Promise<void> {
    const before = new Date(Date.now() - HISTORY).toISOString();
    await this.database.write(async (manager) => {
      await manager.delete(UsageMinute, { minute: LessThan(before) });
      await manager.delete(UsageBatch, { deliveredAt: LessThan(before) });
    });
  }
}
