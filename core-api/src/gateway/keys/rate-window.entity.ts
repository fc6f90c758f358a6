import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Counter } from '../../database/columns';

/** What a key with a limit has used, where several machines share a database; goes with its key. */
@Entity('rate_windows')
export class RateWindowRow {
  @PrimaryColumn({ type: 'varchar', length: 36 })
  keyId: string;

  /** Length of the window that the slices are of. */
  @Column({ type: 'integer' })
  seconds: number;

  /** As `rules/rate-window.ts` numbers them. */
  @Counter()
  slice: number;

  /** Of each slice, the present one first. */
  @Column({ type: 'simple-json' })
  counts: number[];
}
