import type { MigrationInterface, QueryRunner } from 'typeorm';
import { create, integer, longText, text } from './dialect';

const content = (key: string, length: number) => ({
  name: 'content_parts',
  columns: [text(key, length, { isPrimary: true }), integer('part', { isPrimary: true }), longText('bytes')],
});

/** Parts of compressed copies too, whose names are longer than a digest, and the machines that pull content. */
export class SharedContent1700000000111 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // No build has written into this table yet.
    await runner.dropTable('content_parts');
    await create(runner, content('name', 67));
    await create(runner, {
      name: 'content_machines',
      columns: [text('machineId', 36, { isPrimary: true }), text('seenAt', 24)],
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('content_machines');
    await runner.dropTable('content_parts');
    await create(runner, content('digest', 64));
  }
}
