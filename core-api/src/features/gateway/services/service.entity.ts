import { Column, Entity } from 'typeorm';
import { Audited } from '../../../platform/audit/audited';
import { EditedRow, Varchar } from '../../../platform/database/schema/columns';
import type { CorsRow } from '../../../routing/config-snapshot';

@Audited({ entity: 'service', name: 'name' })
@Entity('gateway_services')
export class GatewayService extends EditedRow {
  @Varchar(100) name: string;
  /** http(s) URL with an optional path and no trailing slash. */
  @Varchar(255) host: string;
  /** URLs of further instances, in the form of `host`. */
  @Column('simple-json', { default: '[]' }) extraHosts: string[];
  /** Path of the active health check of each instance. Without a path, the edge notices only failed connections. */
  @Varchar(1024, { nullable: true }) healthPath: string | null;
  /** Time limit of the edge for a response. */
  @Column('integer', { default: 60 }) timeoutSeconds: number;
  /** Largest request body, in MiB. */
  @Column('integer', { default: 100 }) maxBodyMb: number;
  @Column('simple-json', { nullable: true }) cors: CorsRow | null;
}
