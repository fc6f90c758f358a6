import { Column, Entity } from 'typeorm';
import { Audited } from '../../platform/audit/audited';
import { toSearchText } from '../../platform/database/queries/search-text';
import { SearchedRow, Varchar } from '../../platform/database/schema/columns';
import type { TargetType } from '../../platform/net/target';

@Audited({ entity: 'subdomain', name: 'subdomain', omit: ['searchText', 'targetKey'] })
@Entity('subdomains')
export class Subdomain extends SearchedRow {
  @Varchar(63) subdomain: string;
  @Varchar(500) description: string;
  @Varchar(16) type: TargetType;
  @Column('integer', { nullable: true }) port: number | null;
  @Varchar(1024, { nullable: true }) staticPath: string | null;
  @Column('integer', { nullable: true }) apiPort: number | null;
  /** Type static: navigations to unknown paths are answered with the root's `index.html`. */
  @Column('boolean', { default: true }) spaFallback: boolean;
  @Varchar(255, { nullable: true }) targetHost: string | null;
  @Column('integer', { nullable: true }) targetPort: number | null;
  /** Visitors of a paused subdomain see a page about the pause. */
  @Column('boolean', { default: false }) paused: boolean;
  /** Enables regular health checks of the target. */
  @Column('boolean', { default: true }) healthCheck: boolean;
  /** Source of the files of a static site: the folder `staticPath`, or the version `versionId`. */
  @Varchar(8, { default: 'folder' }) source: 'folder' | 'versions';
  /** The version that was activated last. */
  @Varchar(36, { nullable: true }) versionId: string | null;
  /** Result of `toTargetKey` for this row. SQL finds the health of the target by this key. */
  @Varchar(64, { nullable: true }) targetKey: string | null;
}

export const createSubdomainSearchText = ({
  subdomain,
  description,
}: Pick<Subdomain, 'subdomain' | 'description'>): string => toSearchText([subdomain, description]);
