import { Column, Entity } from 'typeorm';
import { Id, Instant } from '../../platform/database/columns';
import type { Condition } from './alert-kinds';

/** A machine that runs a core. Each core writes its own row every 30 s. */
@Entity('machines')
export class Machine {
  /** `DATA_DIR/machine.id` */
  @Id()
  _id: string;

  /** The host name. */
  @Column({ type: 'varchar', length: 255 })
  name: string;

  @Instant()
  seenAt: string;

  /** Conditions that only this machine can observe: its disk, its certificate. */
  @Column({ type: 'simple-json' })
  conditions: Condition[];
}
