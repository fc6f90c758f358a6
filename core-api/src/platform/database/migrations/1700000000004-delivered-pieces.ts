import type { QueryRunner } from 'typeorm';
import type { Migration } from './column-types';

/** Adds the number of confirmed pieces of a message, because a long text is sent to Telegram in pieces. */
export class DeliveredPieces1700000000004 implements Migration {
  /** Adds the column in plain SQL, because TypeORM would rebuild the table on SQLite. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE contact_deliveries ADD COLUMN "piecesSent" integer NOT NULL DEFAULT 0');
  }
}
