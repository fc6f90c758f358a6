import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Instant } from '../database/columns';

/** The time that retention has seen; one row with id 0. */
@Entity('retention_clock')
export class RetentionClock {
  @PrimaryColumn({ type: 'integer' })
  id: number;

  /** Of the last run whose clock was believed. */
  @Instant()
  believedAt: string;

  /** Runs since then that found the clock too far ahead of it. */
  @Column({ type: 'integer', default: 0 })
  doubts: number;
}
