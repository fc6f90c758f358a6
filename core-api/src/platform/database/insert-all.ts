import type { EntityManager, EntityTarget, ObjectLiteral } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity';

/** Both databases limit the number of parameters of one statement. */
const CHUNK_ROWS = 1000;

/** Inserts many rows in few statements. TypeORM does not write generated values back into `rows`. */
export async function insertAll<Row extends ObjectLiteral>(
  manager: EntityManager,
  target: EntityTarget<Row>,
  rows: readonly QueryDeepPartialEntity<Row>[],
): Promise<void> {
  for (let start = 0; start < rows.length; start += CHUNK_ROWS) {
    await manager
      .createQueryBuilder()
      .insert()
      .into(target)
      .values(rows.slice(start, start + CHUNK_ROWS))
      .updateEntity(false)
      .execute();
  }
}
