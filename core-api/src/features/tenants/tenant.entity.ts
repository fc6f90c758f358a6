import { Column, Entity, JoinColumn, ManyToOne } from 'typeorm';
import { Audited } from '../../platform/audit/audited';
import { toSearchText } from '../../platform/database/queries/search-text';
import { SearchedRow, Varchar } from '../../platform/database/schema/columns';
import type { Project } from '../projects';

@Audited({ entity: 'tenant', name: 'name', omit: ['searchText'] })
@Entity('tenants')
export class Tenant extends SearchedRow {
  @Varchar(100) name: string;
  @Varchar(36) projectId: string;

  @ManyToOne('Project', { onDelete: 'RESTRICT' })
  @JoinColumn({ name: 'projectId' })
  project: Pick<Project, '_id' | 'name' | 'type' | 'apiPort' | 'staticPath' | 'source' | 'versionId'>;

  @Varchar(63) subdomain: string;
  @Varchar(63) dbName: string;
  /** Visitors of a paused tenant see a page about the pause. */
  @Column('boolean', { default: false }) paused: boolean;
  /** Enables regular health checks of the target. */
  @Column('boolean', { default: true }) healthCheck: boolean;
  @Varchar(100, { nullable: true }) responsibleName: string | null;
  @Varchar(255, { nullable: true }) responsibleContact: string | null;
  /** Source of the files of a static site: the project, or the version `versionId`. */
  @Varchar(8, { default: 'project' }) source: 'project' | 'versions';
  /** The version that was activated last. */
  @Varchar(36, { nullable: true }) versionId: string | null;
}

/** Returns the text of a tenant that a search matches. A search also matches the project's text and the domains. */
export const createTenantSearchText = (
  row: Pick<Tenant, 'name' | 'subdomain' | 'dbName' | 'responsibleName' | 'responsibleContact'>,
): string => toSearchText([row.name, row.subdomain, row.dbName, row.responsibleName, row.responsibleContact]);
