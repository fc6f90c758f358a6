import { Column, Entity } from 'typeorm';
import { Audited } from '../../database/audited';
import { Id, Instant, Version } from '../../database/columns';

/** Which pages of other origins may call a service. */
export interface Cors {
  /** `scheme://host[:port]` as browsers send it, or any. */
  origins: string[] | '*';
  /** Request headers beyond the ones that need no permission, in lower case. */
  headers: string[];
  credentials: boolean;
  /** How long a browser may keep the answer to a preflight. */
  maxAgeSeconds: number;
}

/** An upstream that the gateway forwards to. */
@Audited({ entity: 'service', name: 'name' })
@Entity('gateway_services')
export class GatewayService {
  @Id()
  _id: string;

  @Column({ type: 'varchar', length: 100 })
  name: string;

  /** http(s) address, may have a path, without a trailing slash. */
  @Column({ type: 'varchar', length: 255 })
  host: string;

  /** Further instances, written as `host` is. */
  @Column({ type: 'simple-json', default: '[]' })
  extraHosts: string[];

  /** Path that each instance is asked for; without one only failed connections count. */
  @Column({ type: 'varchar', length: 1024, nullable: true })
  healthPath: string | null;

  /** How long the edge waits for an answer. */
  @Column({ type: 'integer', default: 60 })
  timeoutSeconds: number;

  /** Largest request body, in MiB. */
  @Column({ type: 'integer', default: 100 })
  maxBodyMb: number;

  @Column({ type: 'simple-json', nullable: true })
  cors: Cors | null;

  @Instant()
  createdAt: string;

  @Version()
  version: number;
}
