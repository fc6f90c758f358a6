import { Column, Entity } from 'typeorm';
import { Audited } from '../../../platform/audit/audited';
import { EditedRow } from '../../../platform/database/columns';
import type { CorsRow } from '../../../routing/config-snapshot';

/** An upstream of the gateway. */
@Audited({ entity: 'service', name: 'name' })
@Entity('gateway_services')
export class GatewayService extends EditedRow {
  @Column({ type: 'varchar', length: 100 })
  name: string;

  /** http(s) address with an optional path and no trailing slash. */
  @Column({ type: 'varchar', length: 255 })
  host: string;

  /** Addresses of further instances, in the form of `host`. */
  @Column({ type: 'simple-json', default: '[]' })
  extraHosts: string[];

  /** Path of the active health check of each instance. Without a path, only failed connections count. */
  @Column({ type: 'varchar', length: 1024, nullable: true })
  healthPath: string | null;

  /** Time limit of the edge for a response. */
  @Column({ type: 'integer', default: 60 })
  timeoutSeconds: number;

  /** Largest request body, in MiB. */
  @Column({ type: 'integer', default: 100 })
  maxBodyMb: number;

  @Column({ type: 'simple-json', nullable: true })
  cors: CorsRow | null;
}
