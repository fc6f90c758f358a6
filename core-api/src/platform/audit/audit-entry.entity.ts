import { Column, Entity } from 'typeorm';
import { Id, Instant, Varchar } from '../database/schema/columns';

export const auditActions = [
  'create',
  'update',
  'delete',
  'success',
  'failure',
  'limited',
  'recovery',
  'elevated',
] as const;
export type AuditAction = (typeof auditActions)[number];

export const auditedEntities = [
  'subdomain',
  'tenant',
  'project',
  'settings',
  'service',
  'route',
  'key',
  'admin',
  'contact',
  'token',
  'login',
  'version',
  'policy',
  'domain',
  'alert_channel',
  'alert_rule',
  'mute',
  'maintenance',
  'backup_plan',
] as const;
export type AuditedEntity = (typeof auditedEntities)[number];

/** Values of one field before and after the write; null if the row did not exist at that time. */
export interface FieldChange {
  before: unknown;
  after: unknown;
}

/** A changed row, stored in the transaction of the change, or a login event. Equal refused logins share one entry. */
@Entity('audit_entries')
export class AuditEntry {
  @Id() _id: string;
  @Instant() at: string;
  /** Username of the account, or name of the command. */
  @Varchar(100) actor: string;
  @Varchar(16) action: AuditAction;
  @Varchar(16) entity: AuditedEntity;
  @Varchar(36) entityId: string;
  /** Name of the changed row at the time of the change; empty for rows without a name. */
  @Column('text') name: string;
  /** JSON object with a `FieldChange` for each field. */
  @Column('text') changes: string;
  @Varchar(128) requestId: string;
  /** Address of the client; empty for a command. */
  @Varchar(45, { default: '' }) address: string;
  /** The API token that acted for the account. */
  @Varchar(36, { nullable: true }) tokenId: string | null;
  @Varchar(100, { nullable: true }) tokenName: string | null;
  /** Number of events that this entry stands for, more than 1 only for failed and limited logins. */
  @Column('integer', { default: 1 }) count: number;
  /** Digest of equal events, which this entry counts; null if the next equal event gets a new entry. */
  @Varchar(64, { nullable: true }) foldKey: string | null;
}
