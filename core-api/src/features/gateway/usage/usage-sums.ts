import { chunks } from '../../../platform/collections/chunks';
import type { Database } from '../../../platform/database/database';
import type { UnitRange } from './rollups';
import type { Buckets } from './time-range';
import type { UsageDimension } from './usage.entity';

/** Maximum number of subjects per query, because reading a result blocks the event loop. */
const BATCH_SUBJECTS = 5;

export interface Subject {
  id: number;
  entityId: string;
}

/** Sums by the bucket's index in the range, in order, without buckets that have no traffic. */
export type BucketSums = Map<number, number[]>;

/**
 * Returns an SQL expression for the sums of columns of the table `u`, joined to one text. The text is NULL without
 * rows. Reading the sums as separate columns would take longer than the summation.
 */
const createSumExpression = (columns: readonly string[]): string =>
  columns.map((column) => `CAST(SUM(u."${column}") AS text)`).join(` || ',' || `);

/** Parses the joined sums; `JSON.parse` is much faster than splitting the text. */
const parseSums = (sums: string): number[] => JSON.parse(`[${sums}]`);

/** Sums over the rollups. Rows are read along the primary key, by subject, so that the database need not sort. */
export class UsageSums {
  constructor(private readonly database: Pick<Database, 'report'>) {}

  /**
   * Subjects of a dimension, ranked by the sum of all the columns, without subjects whose sum is 0.
   * @param limit maximum number; all by default
   */
  async findBusiest(
    dimension: UsageDimension,
    columns: readonly string[],
    { rollup, first, last }: UnitRange,
    limit?: number,
  ): Promise<Subject[]> {
    // The SQL must name $1, $2 and $3 in this order, because SQLite numbers parameters by their appearance.
    const rows = await this.database.report.query<{ id: number; entityId: string; total: number | string }[]>(
      `SELECT s.id, s."entityId", COALESCE((SELECT SUM(${columns.map((column) => `u."${column}"`).join(' + ')})
         FROM ${rollup.table} u WHERE u.subject = s.id AND u."at" BETWEEN $1 AND $2), 0) AS total
       FROM usage_subjects s WHERE s.dimension = $3 AND s.reason = ''
       ORDER BY total DESC, s."entityId" ${limit ? `LIMIT ${limit}` : ''}`,
      [first, last, dimension],
    );
    return rows.filter(({ total }) => Number(total) > 0);
  }

  async sumBySubject(
    ids: readonly number[],
    columns: readonly string[],
    { rollup, first, last }: UnitRange,
  ): Promise<Map<number, number[]>> {
    if (ids.length === 0) return new Map();
    const rows = await this.database.report.query<{ subject: number; sums: string }[]>(
      `SELECT u.subject, ${createSumExpression(columns)} AS sums FROM ${rollup.table} u
       WHERE u.subject IN (${ids.join(', ')}) AND u."at" BETWEEN $1 AND $2 GROUP BY u.subject`,
      [first, last],
    );
    return new Map(rows.map(({ subject, sums }) => [subject, parseSums(sums)]));
  }

  /** The sums of each subject by bucket, in the order of `ids`. */
  async *sumByBucket(
    ids: readonly number[],
    columns: readonly string[],
    { bucketRollup, bucketSeconds, fromMs, buckets }: Buckets,
  ): AsyncGenerator<[id: number, sums: BucketSums]> {
    const unitsPerBucket = bucketSeconds / bucketRollup.unitSeconds;
    const firstBucket = fromMs / 1000 / bucketSeconds;
    const firstUnitSql = `(${firstBucket} + bucket) * ${unitsPerBucket}`;
    for (const batch of chunks(ids, BATCH_SUBJECTS)) {
      const rows = await this.database.report.query<{ id: number; bucket: number; sums: string | null }[]>(
        `WITH RECURSIVE buckets(bucket) AS
           (SELECT 0 UNION ALL SELECT bucket + 1 FROM buckets WHERE bucket < ${buckets - 1})
         SELECT s.id, bucket, (SELECT ${createSumExpression(columns)} FROM ${bucketRollup.table} u
           WHERE u.subject = s.id AND u."at" BETWEEN ${firstUnitSql} AND ${firstUnitSql} + ${unitsPerBucket - 1}) AS sums
         FROM usage_subjects s CROSS JOIN buckets WHERE s.id IN (${batch.join(', ')}) ORDER BY bucket`,
      );
      const sumsBySubject = new Map<number, BucketSums>(batch.map((id) => [id, new Map()]));
      for (const { id, bucket, sums } of rows) if (sums !== null) sumsBySubject.get(id)?.set(bucket, parseSums(sums));
      yield* sumsBySubject;
    }
  }
}
