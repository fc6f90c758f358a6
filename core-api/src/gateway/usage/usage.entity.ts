import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Counter, Instant } from '../../database/columns';

/** Counted requests of one key in one minute. */
@Entity('usage_minutes')
export class UsageMinute {
  @PrimaryColumn({ type: 'varchar', length: 36 })
  keyId: string;

  /** The minute's start. */
  @PrimaryColumn({ type: 'varchar', length: 24 })
  minute: string;

  @Counter()
  requests: number;

  @Counter()
  errors4xx: number;

  @Counter()
  errors5xx: number;

  /** Sum over the requests, until each answer's end. */
  @Counter()
  durationMs: number;
}

/** The last batch of an edge that is in the database: one delivered twice is counted once. */
@Entity('usage_batches')
export class UsageBatch {
  @PrimaryColumn({ type: 'varchar', length: 36 })
  edgeId: string;

  @Column({ type: 'integer' })
  sequence: number;

  @Instant()
  deliveredAt: string;
}
