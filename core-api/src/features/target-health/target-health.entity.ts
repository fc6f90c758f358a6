import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Id, Instant, Varchar } from '../../platform/database/schema/columns';
import type { ConfirmedState } from './recording/target-tracker';

/** Result of the last check of a target by a machine; one row for all hosts with that target. */
@Entity('target_health', { withoutRowid: true })
export class TargetHealth {
  /** `hashProbeTarget` of the target. */
  @PrimaryColumn('varchar', { length: 64 }) target: string;
  /** The machine whose loopback or folder is the target; empty for a target that all machines share. */
  @PrimaryColumn('varchar', { length: 36 }) machineId: string;
  @Varchar(8) state: 'up' | 'down';
  /** Status of the HTTP response. */
  @Column('integer', { nullable: true }) status: number | null;
  @Column('integer', { nullable: true }) ms: number | null;
  @Instant() checkedAt: string;
  @Varchar(255, { nullable: true }) reason: string | null;
  /** The confirmed state (`target-tracker.ts`), which a single failed check does not change. */
  @Varchar(8, { default: 'unknown' }) confirmed: ConfirmedState;
  /** Start of the confirmed state. An outage starts with the first failed probe. */
  @Instant({ nullable: true }) confirmedSince: string | null;
  /** Time up to which the confirmed state is counted in `target_days`. */
  @Instant({ nullable: true }) countedUntil: string | null;
}

/** Seconds of one day in each confirmed state. The rows are kept for 400 days. */
@Entity('target_days')
export class TargetDay {
  @PrimaryColumn('varchar', { length: 64 }) target: string;
  @PrimaryColumn('varchar', { length: 36 }) machineId: string;
  /** `YYYY-MM-DD` in `TIME_ZONE`. */
  @PrimaryColumn('varchar', { length: 10 }) day: string;
  @Column('double precision', { default: 0 }) upSeconds: number;
  @Column('double precision', { default: 0 }) downSeconds: number;
  @Column('double precision', { default: 0 }) unknownSeconds: number;
}

/** A confirmed outage. The last 200 of each target are kept. */
@Entity('target_incidents')
export class TargetIncident {
  @Id() _id: string;
  @Varchar(64) target: string;
  @Varchar(36) machineId: string;
  /** The first failure. */
  @Instant() startedAt: string;
  /** The first success after the outage, or the first uncertain check; null during the outage. */
  @Instant({ nullable: true }) endedAt: string | null;
  @Varchar(255, { nullable: true }) reason: string | null;
}
