import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Instant } from '../database/columns';
import type { SiteRefusal } from '../rules/target';

/** What each running edge serves. The edge writes its own row at each change and every 2 s. */
@Entity('edges')
export class Edge {
  @PrimaryColumn({ type: 'varchar', length: 36 })
  id: string;

  /** The newest that all its workers serve. */
  @Column({ type: 'integer' })
  revision: number;

  @Instant()
  seenAt: string;

  /** By the entity's id. */
  @Column({ type: 'simple-json' })
  refused: Record<string, SiteRefusal>;
}
