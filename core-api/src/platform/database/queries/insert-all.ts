import type { EntityManager, EntityTarget, ObjectLiteral } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity';
import { chunks } from '../../collections/chunks';

const CHUNK_ROWS = 1000;

/**
 * Inserts many rows in few statements. TypeORM does not write generated values back into `rows`.
 * @param ignoreExisting skips rows whose unique key exists, because another process may insert the same rows
 */
export async function insertAll<Row extends ObjectLiteral>(
  manager: EntityManager,
  target: EntityTarget<Row>,
  rows: readonly QueryDeepPartialEntity<Row>[],
  { ignoreExisting = false } = {},
): Promise<void> {
  for (const chunk of chunks(rows, CHUNK_ROWS)) {
    const insertion = manager.createQueryBuilder().insert().into(target).values(chunk).updateEntity(false);
    await insertion.orIgnore(ignoreExisting).execute();
  }
}
