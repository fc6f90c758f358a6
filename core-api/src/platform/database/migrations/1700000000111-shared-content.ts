import type { QueryRunner } from 'typeorm';
import { createTable, integer, longText, type Migration, text } from './column-types';

/**
 * Gives the parts of content longer names, because the name of a compressed copy is a digest with `.br` or `.gz`. Adds
 * the machines that pull content.
 */
export class SharedContent1700000000111 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    // The table is empty: no earlier release wrote into it.
    await runner.dropTable('content_parts');
    await createTable(runner, {
      name: 'content_parts',
      columns: [text('name', 67, { isPrimary: true }), integer('part', { isPrimary: true }), longText('bytes')],
    });
    await createTable(runner, {
      name: 'content_machines',
      columns: [text('machineId', 36, { isPrimary: true }), text('seenAt', 24)],
    });
  }
}
