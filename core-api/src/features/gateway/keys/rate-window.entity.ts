import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Counter } from '../../../platform/database/columns';

/** Rate window of a key with a limit, shared by all machines of one database. Removed with its key. */
@Entity('rate_windows')
export class RateWindowRow {
  @PrimaryColumn({ type: 'varchar', length: 36 })
  keyId: string;

  /** Length of the window. */
  @Column({ type: 'integer' })
  seconds: number;

  /** Number of the current slice, as counted by `routing/rate-window.ts`. */
  @Counter()
  slice: number;

  /** Requests of each slice, the current slice first. */
  @Column({ type: 'simple-json' })
  counts: number[];
}
