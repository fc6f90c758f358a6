import type { QueryRunner } from 'typeorm';
import type { Migration } from './dialect';

/** How much of a message a channel has confirmed: a long one goes to Telegram in pieces. */
export class DeliveredPieces1700000000004 implements Migration {
  /** Plain SQL, which both dialects understand: TypeORM would rebuild the table on SQLite. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE contact_deliveries ADD COLUMN "piecesSent" integer NOT NULL DEFAULT 0');
  }
}
