import { type EntityManager, MoreThanOrEqual } from 'typeorm';
import { ApiKey } from '../features/gateway/keys/key.entity';
import { GatewayRoute } from '../features/gateway/routes/route.entity';
import { GatewayService } from '../features/gateway/services/service.entity';
import { Project } from '../features/projects/project.entity';
import { SiteVersion } from '../features/sites/site-version.entity';
import { Subdomain } from '../features/subdomains/subdomain.entity';
import { Tenant } from '../features/tenants/tenant.entity';
import { chunks } from '../platform/collections/chunks';
import { ConfigurationChange } from '../platform/config-revisions/config-revision.entity';
import { readCurrentRevision } from '../platform/config-revisions/config-revisions';
import { type ConfiguredEntity, configuredEntities } from '../platform/config-revisions/configured-entities';
import type { Database } from '../platform/database/database';
import type { ConfigChanges, ConfigPosition, ConfigUpdate, RowChange } from '../routing/config-snapshot';
import { type RoutingSettings, RoutingTable } from '../routing/routing-table';
import { loadRows } from './config-rows';

const tables = {
  project: Project,
  tenant: Tenant,
  subdomain: Subdomain,
  version: SiteVersion,
  service: GatewayService,
  route: GatewayRoute,
  key: ApiKey,
} as const satisfies { [Entity in ConfiguredEntity]: new () => { _id: string } };

/** Rows per query. PostgreSQL cancels a statement after 4 s, and a long query delays other readers of SQLite. */
const PAGE_ROWS = 500;

/** Returns the newest position. Call this before `readConfigRows`, so that `readChangesSince` returns later changes. */
export async function readConfigPosition(read: EntityManager): Promise<ConfigPosition> {
  const revision = await readCurrentRevision(read);
  const change = await read.findOneBy(ConfigurationChange, { revision });
  return { revision, lastChange: change?.entityId ?? null };
}

/**
 * Returns the changes after a position; undefined if there are none.
 * @param entities the entities to read; changes of other entities only raise the revision
 * @returns 'unknown' if the position is too old, or if the database was restored from a backup that does not contain it
 */
export async function readChangesSince(
  read: EntityManager,
  knownPosition: ConfigPosition,
  entities: readonly ConfiguredEntity[] = configuredEntities,
): Promise<ConfigChanges | 'unknown' | undefined> {
  const revision = await readCurrentRevision(read);
  if (revision === knownPosition.revision) return undefined;
  if (revision < knownPosition.revision) return 'unknown';
  const rows = await read.find(ConfigurationChange, {
    where: { revision: MoreThanOrEqual(knownPosition.revision) },
    order: { revision: 'ASC' },
  });
  const known = rows.find((row) => row.revision === knownPosition.revision);
  if (known && knownPosition.lastChange !== null && known.entityId !== knownPosition.lastChange) return 'unknown';
  const changes = rows.filter((row) => row.revision > knownPosition.revision);
  const newestChange = changes.at(-1);
  if (!newestChange || changes[0]?.revision !== knownPosition.revision + 1) return 'unknown';
  return {
    position: { revision: newestChange.revision, lastChange: newestChange.entityId },
    changes: await loadChangedRows(read, entities, changes),
  };
}

/**
 * Yields all rows in pages by primary key. A row that changes during the read may be old or new; `readChangesSince`
 * returns it again.
 * @param query runs `work`, for example with a time limit
 */
export async function* readConfigRows(
  query: <Result>(work: (read: EntityManager) => Promise<Result>) => Promise<Result>,
  entities: readonly ConfiguredEntity[] = configuredEntities,
): AsyncGenerator<RowChange[]> {
  for (const entity of entities) {
    for (let after = ''; ; ) {
      const ids = await query((read) => readIdsAfter(read, entity, after));
      const lastId = ids.at(-1);
      if (lastId === undefined) break;
      yield await query((read) => loadRows(read, entity, ids));
      if (ids.length < PAGE_ROWS) break;
      after = lastId;
    }
  }
}

async function readIdsAfter(read: EntityManager, entity: ConfiguredEntity, after: string): Promise<string[]> {
  const rows: { _id: string }[] = await read
    .createQueryBuilder(tables[entity], 'row')
    .select('row._id', '_id')
    .where('row._id > :after', { after })
    .orderBy('row._id')
    .limit(PAGE_ROWS)
    .getRawMany();
  return rows.map(({ _id }) => _id);
}

/**
 * Returns the changes after the revision `knownRevision` as one update; undefined if there are none. All rows are
 * returned if `knownRevision` is undefined or too old.
 */
async function readUpdateSince(
  read: EntityManager,
  knownRevision: number | undefined,
  entities: readonly ConfiguredEntity[],
): Promise<ConfigUpdate | undefined> {
  if (knownRevision !== undefined) {
    const later = await readChangesSince(read, { revision: knownRevision, lastChange: null }, entities);
    if (later === undefined) return undefined;
    if (later !== 'unknown') return { revision: later.position.revision, isComplete: false, changes: later.changes };
  }
  const { revision } = await readConfigPosition(read);
  const changes: RowChange[] = [];
  for await (const page of readConfigRows((work) => work(read), entities))
    for (const change of page) changes.push(change);
  return { revision, isComplete: true, changes };
}

/**
 * Returns a function that updates a routing table to the current rows and returns the table. Unusable rows are not
 * reported, because the edge compiles the same rows and reports them.
 * @param entities the entities that the table needs
 */
export function createRoutingTableReader(
  { read }: Pick<Database, 'read'>,
  settings: RoutingSettings,
  entities: readonly ConfiguredEntity[],
): () => Promise<RoutingTable> {
  const table = new RoutingTable(settings, () => undefined);
  let lastUpdate: Promise<void> = Promise.resolve();
  const update = async () => {
    const configUpdate = await readUpdateSince(read, table.revision, entities);
    if (configUpdate) table.apply(configUpdate);
  };
  return async () => {
    // Updates run one after the other, because each update begins at the revision of the previous update.
    lastUpdate = lastUpdate.catch(() => undefined).then(update);
    await lastUpdate;
    return table;
  };
}

async function loadChangedRows(
  read: EntityManager,
  entities: readonly ConfiguredEntity[],
  changes: readonly ConfigurationChange[],
): Promise<RowChange[]> {
  const rowChanges: RowChange[] = [];
  for (const entity of entities) {
    const ids = [...new Set(changes.filter((change) => change.entity === entity).map(({ entityId }) => entityId))];
    for (const page of chunks(ids, PAGE_ROWS)) {
      const existingRows = await loadRows(read, entity, page);
      const existingIds = new Set(existingRows.map(({ id }) => id));
      const removedRows = page.filter((id) => !existingIds.has(id)).map((id): RowChange => ({ entity, id, row: null }));
      rowChanges.push(...existingRows, ...removedRows);
    }
  }
  return rowChanges;
}
