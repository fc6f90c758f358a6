import type { QueryRunner } from 'typeorm';
import { create, integer, longText, type Migration, text } from './dialect';

/** Adds parts of compressed copies, whose names are longer than a digest, and the machines that pull content. */
export class SharedContent1700000000111 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    // No build has written into this table yet.
    await runner.dropTable('content_parts');
    await create(runner, {
      name: 'content_parts',
      columns: [text('name', 67, { isPrimary: true }), integer('part', { isPrimary: true }), longText('bytes')],
    });
    await create(runner, {
      name: 'content_machines',
      columns: [text('machineId', 36, { isPrimary: true }), text('seenAt', 24)],
    });
  }
}
