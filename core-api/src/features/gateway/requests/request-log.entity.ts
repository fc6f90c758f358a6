import { Column, Entity } from 'typeorm';
import { Id, Instant } from '../../../platform/database/columns';

/** One request that the edge answered, or a sample of similar requests. */
@Entity('request_log')
export class LoggedRequest {
  /** UUID v7, which sorts by time. */
  @Id()
  _id: string;

  @Instant()
  at: string;

  /** Kind of the requested host: `gateway`, `proxy`, `static`, `tunnel`, `tenant`, … */
  @Column({ type: 'varchar', length: 16 })
  kind: string;

  @Column({ type: 'varchar', length: 16 })
  method: string;

  /** Path without the query, which may hold secrets. */
  @Column({ type: 'varchar', length: 1024 })
  path: string;

  @Column({ type: 'integer' })
  status: number;

  /** Reason of a refusal; null for a forwarded request. */
  @Column({ type: 'varchar', length: 32, nullable: true })
  reason: string | null;

  /** Milliseconds until the end of the response. */
  @Column({ type: 'integer' })
  ms: number;

  @Column({ type: 'varchar', length: 64 })
  clientIp: string;

  @Column({ type: 'varchar', length: 64 })
  requestId: string;

  @Column({ type: 'varchar', length: 36, nullable: true })
  keyId: string | null;

  @Column({ type: 'varchar', length: 36, nullable: true })
  routeId: string | null;

  @Column({ type: 'varchar', length: 36, nullable: true })
  subdomainId: string | null;

  @Column({ type: 'varchar', length: 36, nullable: true })
  tenantId: string | null;

  /** Number of requests that this row represents; more than 1 if the edge logged a sample of similar requests. */
  @Column({ type: 'integer', default: 1 })
  weight: number;
}
