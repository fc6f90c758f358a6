import { Column, Entity } from 'typeorm';
import { Audited } from '../../platform/audit/audited';
import { SearchedRow } from '../../platform/database/columns';
import { searchTextOf } from '../../platform/database/search-text';
import type { TargetType } from '../../platform/net/target';

@Audited({ entity: 'subdomain', name: 'subdomain', omit: ['searchText', 'targetKey'] })
@Entity('subdomains')
export class Subdomain extends SearchedRow {
  @Column({ type: 'varchar', length: 63 })
  subdomain: string;

  @Column({ type: 'varchar', length: 500 })
  description: string;

  @Column({ type: 'varchar', length: 16 })
  type: TargetType;

  @Column({ type: 'integer', nullable: true })
  port: number | null;

  @Column({ type: 'varchar', length: 1024, nullable: true })
  staticPath: string | null;

  @Column({ type: 'integer', nullable: true })
  apiPort: number | null;

  /** Type static: `index.html` of the root answers navigations to unknown paths. */
  @Column({ type: 'boolean', default: true })
  spaFallback: boolean;

  @Column({ type: 'varchar', length: 255, nullable: true })
  targetHost: string | null;

  @Column({ type: 'integer', nullable: true })
  targetPort: number | null;

  /** Visitors of a paused subdomain see a page that says that it is paused. */
  @Column({ type: 'boolean', default: false })
  paused: boolean;

  /** Enables regular health checks of the target. */
  @Column({ type: 'boolean', default: true })
  healthCheck: boolean;

  /** Where the files of a static site come from: `staticPath`, or the version `versionId`. */
  @Column({ type: 'varchar', length: 8, default: 'folder' })
  source: 'folder' | 'versions';

  /** The version that was activated last. */
  @Column({ type: 'varchar', length: 36, nullable: true })
  versionId: string | null;

  /** `targetKeyOf` the row. SQL finds the health of the target by it. */
  @Column({ type: 'varchar', length: 64, nullable: true })
  targetKey: string | null;
}

export const subdomainSearchText = ({ subdomain, description }: Pick<Subdomain, 'subdomain' | 'description'>): string =>
  searchTextOf([subdomain, description]);
