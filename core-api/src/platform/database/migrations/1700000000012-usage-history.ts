import type { QueryRunner } from 'typeorm';
import { counter, createTable, integer, type Migration, text } from './column-types';

const LATENCY_COLUMNS = Array.from({ length: 16 }, (_, index) => `b${index}`);
const rollups = [
  { table: 'usage_minutes', seconds: 60, keptDays: 2 },
  { table: 'usage_hours', seconds: 3_600, keptDays: 90 },
  { table: 'usage_days', seconds: 86_400, keptDays: 400 },
];

/** Adds usage by key, route and service with latencies, by minute, hour and day. Existing minutes of keys are kept. */
export class UsageHistory1700000000012 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    const isPostgres = runner.connection.options.type === 'postgres';
    await runner.query('ALTER TABLE usage_minutes RENAME TO usage_minutes_of_keys');
    await createTable(runner, {
      name: 'usage_subjects',
      columns: [
        integer('id', { isPrimary: true, isGenerated: true, generationStrategy: 'increment' }),
        text('dimension', 16),
        text('entityId', 36),
      ],
      indices: [{ columnNames: ['entityId', 'dimension'], isUnique: true, name: 'usage_subjects_entity' }],
    });
    await runner.query(
      `INSERT INTO usage_subjects (dimension, "entityId") SELECT DISTINCT 'key', "keyId" FROM usage_minutes_of_keys`,
    );
    const epoch = isPostgres
      ? 'EXTRACT(EPOCH FROM m.minute::timestamptz)::bigint'
      : `CAST(strftime('%s', m.minute) AS INTEGER)`;
    for (const { table, seconds, keptDays } of rollups) {
      await createTable(runner, {
        name: table,
        withoutRowid: !isPostgres,
        columns: [
          integer('subject', { isPrimary: true }),
          integer('at', { isPrimary: true }),
          ...['requests', 'errors4xx', 'errors5xx', 'refused', 'durationMs'].map(counter),
          ...LATENCY_COLUMNS.map((name) => integer(name, { default: 0 })),
        ],
      });
      const since = Math.floor(Date.now() / 1000) - keptDays * 86_400;
      await runner.query(
        `INSERT INTO ${table} (subject, "at", requests, "errors4xx", "errors5xx", "durationMs")
         SELECT s.id, ${epoch} / ${seconds}, SUM(m.requests), SUM(m."errors4xx"), SUM(m."errors5xx"), SUM(m."durationMs")
         FROM usage_minutes_of_keys m JOIN usage_subjects s ON s."entityId" = m."keyId"
         WHERE ${epoch} >= ${since} GROUP BY 1, 2`,
      );
    }
    await runner.query('DROP TABLE usage_minutes_of_keys');
  }
}
