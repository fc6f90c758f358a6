import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Instant } from '../database/columns';

/** The clock as retention last saw it. The table has one row, with id 0. */
@Entity('retention_clock')
export class RetentionClock {
  @PrimaryColumn('integer') id: number;
  /** Time of the last run whose clock was plausible. */
  @Instant({ name: 'believedAt' }) plausibleAt: string;
  /** Runs since then that found the clock too far ahead. */
  @Column({ name: 'doubts', type: 'integer', default: 0 }) implausibleRuns: number;
}
