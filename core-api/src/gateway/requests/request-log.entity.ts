import { Column, Entity } from 'typeorm';
import { Id, Instant } from '../../database/columns';

/** One request that the edge answered, or one that stands for several. */
@Entity('request_log')
export class LoggedRequest {
  /** Sorts by time, so that the newest have the greatest. */
  @Id()
  _id: string;

  @Instant()
  at: string;

  /** Which host was asked: `gateway`, `proxy`, `static`, `tunnel`, `tenant`, … */
  @Column({ type: 'varchar', length: 16 })
  kind: string;

  @Column({ type: 'varchar', length: 16 })
  method: string;

  /** Without the query, which may hold secrets. */
  @Column({ type: 'varchar', length: 1024 })
  path: string;

  @Column({ type: 'integer' })
  status: number;

  /** Why it was refused; null when it was let through. */
  @Column({ type: 'varchar', length: 32, nullable: true })
  reason: string | null;

  /** Until the answer's end. */
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

  /** How many requests this row stands for; more than 1 where the edge logs only some of many alike. */
  @Column({ type: 'integer', default: 1 })
  weight: number;
}
