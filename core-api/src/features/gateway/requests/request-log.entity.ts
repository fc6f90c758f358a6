import { Column, Entity } from 'typeorm';
import { Id, Instant, Varchar } from '../../../platform/database/schema/columns';

/** One request that the edge answered, or a sample of similar requests. */
@Entity('request_log')
export class LoggedRequest {
  /** UUID v7, which sorts by time. */
  @Id() _id: string;
  @Instant() at: string;
  /** Kind of the requested host: `gateway`, `proxy`, `static`, `tunnel`, `tenant`, … */
  @Varchar(16) kind: string;
  @Varchar(16) method: string;
  /** Path without the query, which may hold secrets. */
  @Varchar(1024) path: string;
  @Column('integer') status: number;
  /** Reason of a refusal; null for a request that was not refused. */
  @Varchar(32, { nullable: true }) reason: string | null;
  /** Milliseconds until the end of the response. */
  @Column('integer') ms: number;
  @Varchar(64) clientIp: string;
  @Varchar(64) requestId: string;
  @Varchar(36, { nullable: true }) keyId: string | null;
  @Varchar(36, { nullable: true }) routeId: string | null;
  @Varchar(36, { nullable: true }) subdomainId: string | null;
  @Varchar(36, { nullable: true }) tenantId: string | null;
  /** Number of requests that this row represents; more than 1 if the edge logged a sample of similar requests. */
  @Column('integer', { default: 1 }) weight: number;
}
