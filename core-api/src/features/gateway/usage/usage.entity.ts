import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { Counter, Instant, Varchar } from '../../../platform/database/schema/columns';
import { LATENCY_BUCKET_COUNT } from '../../../platform/usage/latency';

export type UsageDimension = 'key' | 'route' | 'service' | 'gateway';

/** A counted subject. Its integer id keeps the rows of counts short. */
@Entity('usage_subjects')
export class UsageSubject {
  @PrimaryGeneratedColumn() id: number;
  @Varchar(16) dimension: UsageDimension;
  /** Id of the key, route or service, which may be removed; `gateway` for the sum over all services. */
  @Varchar(36) entityId: string;
  /** A row with a reason counts only the refusals for this reason. A row with '' has all counts. */
  @Varchar(20, { default: '' }) reason: string;
}

/** Counted requests of one subject in one unit of time. */
abstract class UsageCounts {
  @PrimaryColumn('integer') subject: number;
  /** Number of the unit of time since 1970, in UTC. */
  @PrimaryColumn('integer') at: number;
  @Counter() requests: number;
  @Counter() errors4xx: number;
  @Counter() errors5xx: number;
  /** Requests that the gateway refused; not included in `requests`. */
  @Counter() refused: number;
  /** Sum of the times until the end of each response. */
  @Counter() durationMs: number;
}

/**
 * The columns `b0` to `b15` count responses by latency (`platform/usage/latency.ts`). The class does not declare these
 * columns, because only SQL sums them.
 */
for (let bucket = 0; bucket < LATENCY_BUCKET_COUNT; bucket += 1) {
  Column({ type: 'integer', default: 0 })(UsageCounts.prototype, `b${bucket}`);
}

@Entity('usage_minutes', { withoutRowid: true })
export class UsageMinute extends UsageCounts {}

// No code refers to the class, because this table is read and written in SQL only.
Entity('usage_hours', { withoutRowid: true })(class UsageHour extends UsageCounts {});

@Entity('usage_days', { withoutRowid: true })
export class UsageDay extends UsageCounts {}

/** The last stored batch of each edge, so that a repeated delivery is counted once. */
@Entity('usage_batches')
export class UsageBatch {
  @PrimaryColumn('varchar', { length: 36 }) edgeId: string;
  @Column('integer') sequence: number;
  @Instant() deliveredAt: string;
}
