import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { Counter, Instant } from '../../database/columns';
import { LATENCY_BUCKETS } from '../../rules/latency';

export type UsageDimension = 'key' | 'route' | 'service' | 'gateway';

/** What is counted. Its integer id keeps the rows of counts short. */
@Entity('usage_subjects')
export class UsageSubject {
  @PrimaryGeneratedColumn()
  id: number;

  @Column({ type: 'varchar', length: 16 })
  dimension: UsageDimension;

  /** Of the key, route or service, which may be gone; `gateway` of all together. */
  @Column({ type: 'varchar', length: 36 })
  entityId: string;

  /** Empty for all counts of the subject; else only its refusals for this reason are counted. */
  @Column({ type: 'varchar', length: 20, default: '' })
  reason: string;
}

/** Counted requests of one subject in one unit of time. */
abstract class UsageCounts {
  @PrimaryColumn({ type: 'integer' })
  subject: number;

  /** Units of time since 1970, in UTC. */
  @PrimaryColumn({ type: 'integer' })
  at: number;

  @Counter()
  requests: number;

  @Counter()
  errors4xx: number;

  @Counter()
  errors5xx: number;

  /** By the gateway; not among `requests`. */
  @Counter()
  refused: number;

  /** Sum over the requests, until each answer's end. */
  @Counter()
  durationMs: number;
}

/** `b0` to `b15` count answers by latency (`rules/latency.ts`). No code names them, since they are only summed in SQL. */
for (let bucket = 0; bucket < LATENCY_BUCKETS; bucket += 1) {
  Column({ type: 'integer', default: 0 })(UsageCounts.prototype, `b${bucket}`);
}

/** Kept for 48 hours. */
@Entity('usage_minutes', { withoutRowid: true })
export class UsageMinute extends UsageCounts {}

/** Kept for 90 days. */
@Entity('usage_hours', { withoutRowid: true })
export class UsageHour extends UsageCounts {}

/** Kept for 400 days. */
@Entity('usage_days', { withoutRowid: true })
export class UsageDay extends UsageCounts {}

/** The last batch stored of each edge, so that one delivered twice is counted once. */
@Entity('usage_batches')
export class UsageBatch {
  @PrimaryColumn({ type: 'varchar', length: 36 })
  edgeId: string;

  @Column({ type: 'integer' })
  sequence: number;

  @Instant()
  deliveredAt: string;
}
