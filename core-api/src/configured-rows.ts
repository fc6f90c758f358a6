import { type EntityManager, In, MoreThan } from 'typeorm';
import {
  ConfigurationChange,
  ConfigurationRevision,
  type ConfiguredEntity,
} from './configuration/configuration.entity';
import type { ConfigurationUpdate, RowChange } from './decide/rows';
import { ApiKey } from './gateway/keys/key.entity';
import { GatewayRoute } from './gateway/routes/route.entity';
import { GatewayService } from './gateway/services/service.entity';
import { Project } from './projects/project.entity';
import { Subdomain } from './subdomains/subdomain.entity';
import { Tenant } from './tenants/tenant.entity';

/** Ids of the rows to load; absent loads all. */
type Ids = string[] | undefined;
type Loaders = { [Entity in ConfiguredEntity]: (manager: EntityManager, ids: Ids) => Promise<RowChange[]> };

const by = (ids: Ids) => (ids ? { _id: In(ids) } : {});

const loaders: Loaders = {
  async subdomain(manager, ids) {
    const rows = await manager.findBy(Subdomain, by(ids));
    return rows.map(
      ({
        _id: id,
        description: _description,
        createdAt: _createdAt,
        healthCheck: _healthCheck,
        searchText: _searchText,
        ...row
      }) => ({
        entity: 'subdomain',
        id,
        row: { id, ...row },
      }),
    );
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
    return rows.map(({ _id: id, projectId, subdomain, dbName, customDomain, wwwMode, name, paused }) => ({
      entity: 'tenant',
      id,
      row: { id, projectId, subdomain, dbName, customDomain, wwwMode, name, paused },
    }));
  },
  async service(manager, ids) {
    const rows = await manager.findBy(GatewayService, by(ids));
    return rows.map(({ _id: id, createdAt: _createdAt, ...row }) => ({
      entity: 'service',
      id,
      row: { id, ...row },
    }));
  },
  async route(manager, ids) {
    const rows = await manager.find(GatewayRoute, {
      where: by(ids),
      relations: { methods: true },
    });
    return rows.map(({ _id: id, methods, service: _service, createdAt: _createdAt, ...row }) => ({
      entity: 'route',
      id,
      row: { id, ...row, methods: methods.map(({ method }) => method) },
    }));
  },
  async key(manager, ids) {
    const rows = await manager.findBy(ApiKey, by(ids));
    return rows.map((row) => ({
      entity: 'key',
      id: row._id,
      row: {
        id: row._id,
        digest: row.digest,
        permissions: row.permissions,
        allowedIps: row.allowedIps,
        disabled: row.disabled,
        expiresAt: row.expiresAt,
        rateLimit: row.rateLimit,
        previousDigest: row.previousDigest,
        previousExpiresAt: row.previousExpiresAt,
      },
    }));
  },
};

/** Each before what depends on it. */
const everyEntity: readonly ConfiguredEntity[] = ['project', 'tenant', 'subdomain', 'service', 'route', 'key'];

/**
 * What changed after `known`, or everything when `known` is unset, lies too far back or ahead (a restored backup).
 * Nothing when there is no change. The revision is read before the rows, so that a later change is seen next time.
 * @param entities that are wanted; changes of others raise the revision alone
 */
export async function updateSince(
  read: EntityManager,
  known: number | undefined,
  entities = everyEntity,
): Promise<ConfigurationUpdate | undefined> {
  const { value: revision } = await read.findOneByOrFail(ConfigurationRevision, { id: 1 });
  if (revision === known) return undefined;
  const changes =
    known !== undefined && known < revision
      ? await read.find(ConfigurationChange, { where: { revision: MoreThan(known) }, order: { revision: 'ASC' } })
      : [];
  const complete = known !== undefined && changes[0]?.revision === known + 1;
  if (!complete) return { revision, whole: true, changes: await loadAll(read, entities) };
  return {
    revision: changes.at(-1)?.revision ?? revision,
    whole: false,
    changes: await loadChanged(read, entities, changes),
  };
}

async function loadAll(read: EntityManager, entities: readonly ConfiguredEntity[]): Promise<RowChange[]> {
  const loaded: RowChange[][] = [];
  for (const entity of entities) loaded.push(await loaders[entity](read, undefined));
  return loaded.flat();
}

async function loadChanged(
  read: EntityManager,
  entities: readonly ConfiguredEntity[],
  changes: readonly ConfigurationChange[],
): Promise<RowChange[]> {
  const loaded: RowChange[] = [];
  for (const entity of entities) {
    const ids = [...new Set(changes.filter((change) => change.entity === entity).map(({ entityId }) => entityId))];
    if (ids.length === 0) continue;
    const present = await loaders[entity](read, ids);
    const found = new Set(present.map(({ id }) => id));
    const removed = ids.filter((id) => !found.has(id)).map((id): RowChange => ({ entity, id, row: null }));
    loaded.push(...present, ...removed);
  }
  return loaded;
}
