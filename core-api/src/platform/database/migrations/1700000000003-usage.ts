import type { QueryRunner } from 'typeorm';
import { counter, createTable, integer, type Migration, text } from './column-types';

/** Adds the usage of keys by minute, and the last stored batch of each edge. */
export class Usage1700000000003 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, {
      name: 'usage_minutes',
      columns: [
        text('keyId', 36, { isPrimary: true }),
        text('minute', 24, { isPrimary: true }),
        counter('requests'),
        counter('errors4xx'),
        counter('errors5xx'),
        counter('durationMs'),
      ],
      indices: [{ columnNames: ['minute'], name: 'usage_minutes_minute' }],
    });
    await createTable(runner, {
      name: 'usage_batches',
      columns: [text('edgeId', 36, { isPrimary: true }), integer('sequence'), text('deliveredAt', 24)],
    });
  }
}
