import type { QueryRunner } from 'typeorm';
import type { Migration } from './dialect';

/** Adds the number of pieces of a message that a channel has confirmed: a long text is sent to Telegram in pieces. */
export class DeliveredPieces1700000000004 implements Migration {
  /** Plain SQL, which both dialects understand: TypeORM would rebuild the table on SQLite. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE contact_deliveries ADD COLUMN "piecesSent" integer NOT NULL DEFAULT 0');
  }
}
