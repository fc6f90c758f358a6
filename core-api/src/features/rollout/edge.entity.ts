import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Instant } from '../../platform/database/schema/columns';
import type { SiteRefusal } from '../../platform/net/target';

/** Configuration of a running edge, which writes its row at each change, and at intervals (`live-edges.ts`). */
@Entity('edges')
export class Edge {
  @PrimaryColumn('varchar', { length: 36 }) id: string;
  /** The newest revision that all workers of the edge serve. */
  @Column('integer') revision: number;
  @Instant() seenAt: string;
  /** The reason for each refused entity, by the entity's id. */
  @Column('simple-json') refused: Record<string, SiteRefusal>;
}
