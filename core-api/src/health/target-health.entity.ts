import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Instant } from '../database/columns';

/** Result of a target's last check; one row for all hosts with that target. */
@Entity('target_health')
export class TargetHealth {
  /** `keyOf` the target. */
  @PrimaryColumn({ type: 'varchar', length: 64 })
  target: string;

  @Column({ type: 'varchar', length: 8 })
  state: 'up' | 'down';

  /** Of the HTTP answer. */
  @Column({ type: 'integer', nullable: true })
  status: number | null;

  @Column({ type: 'integer', nullable: true })
  ms: number | null;

  @Instant()
  checkedAt: string;

  @Column({ type: 'varchar', length: 255, nullable: true })
  reason: string | null;
}
