import { type EntityManager, In, LessThan, MoreThan } from 'typeorm';
import { isSharedDatabase } from '../database/queries/dialect';
import { ConfigurationChange, ConfigurationRevision } from './config-revision.entity';
import type { ConfiguredEntity } from './configured-entities';

/** Channel of PostgreSQL's notifications about a new revision. */
export const CONFIG_CHANNEL = 'configuration';
/** Number of stored changes. An edge whose revision is older than all of them reloads all rows. */
const KEPT_CHANGES = 10_000;

/**
 * Announces a created, changed or removed row to the edge. Call this function in the transaction of the write. The row
 * of the revision stays locked until the commit, so revisions become visible in order.
 */
export async function recordConfigChange(
  manager: EntityManager,
  entity: ConfiguredEntity,
  entityId: string,
): Promise<void> {
  const revision = await raiseRevision(manager);
  await manager.insert(ConfigurationChange, { revision, entity, entityId });
  await manager.delete(ConfigurationChange, { revision: LessThan(revision - KEPT_CHANGES) });
}

/** Makes the edge reload all rows. Call this function in the transaction of a write of too many rows to announce. */
export async function recordFullReload(manager: EntityManager): Promise<void> {
  await raiseRevision(manager);
  await manager.createQueryBuilder().delete().from(ConfigurationChange).execute();
}

/** Raises the revision. PostgreSQL also notifies the edges when the transaction commits. */
async function raiseRevision(manager: EntityManager): Promise<number> {
  await manager.increment(ConfigurationRevision, { id: 1 }, 'value', 1);
  return readRevision(manager, isSharedDatabase(manager) ? `value, pg_notify('${CONFIG_CHANNEL}', '')` : 'value');
}

export const readCurrentRevision = (manager: EntityManager): Promise<number> => readRevision(manager, 'value');

/** Uses plain SQL, because it is faster than TypeORM, and each edge reads the revision up to 30 times a second. */
async function readRevision(manager: EntityManager, columns: string): Promise<number> {
  const sql = `SELECT ${columns} FROM configuration_revision WHERE id = 1`;
  const [row] = await manager.query<{ value: number }[]>(sql);
  if (!row) throw new Error('the row of the configuration revision is missing');
  return row.value;
}

const hostEntities: ConfiguredEntity[] = ['subdomain', 'project', 'tenant'];

/**
 * Returns a function whose result rises at its first call after a change of a subdomain, project or tenant. Each call
 * reads only the revisions since the previous call.
 */
export function watchHostChanges(manager: EntityManager): () => Promise<number> {
  let lastRead = -1;
  let newestHostRevision = -1;
  return async () => {
    const revision = await readCurrentRevision(manager);
    if (revision === lastRead) return newestHostRevision;
    const since = MoreThan(lastRead);
    // A revision whose `ConfigurationChange` is missing may have changed a host, so it counts as a change of hosts.
    const isComplete =
      lastRead >= 0 && (await manager.countBy(ConfigurationChange, { revision: since })) >= revision - lastRead;
    const affectsHosts =
      !isComplete || (await manager.existsBy(ConfigurationChange, { revision: since, entity: In(hostEntities) }));
    lastRead = revision;
    if (affectsHosts) newestHostRevision = revision;
    return newestHostRevision;
  };
}
