import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Instant } from '../database/schema/columns';

/** Records whether earlier runs of retention found the clock plausible. The table has one row, with id 0. */
@Entity('retention_clock')
export class RetentionClock {
  @PrimaryColumn('integer') id: number;
  /** Time of the last run whose clock was plausible. */
  @Instant({ name: 'believedAt' }) plausibleAt: string;
  /** Number of later runs that found the clock too far ahead. */
  @Column({ name: 'doubts', type: 'integer', default: 0 }) implausibleRuns: number;
}
