import { Column, Entity } from 'typeorm';
import { Id, Instant } from '../database/columns';

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

/** Values of one field before and after the write; null where the row did not or does not exist. */
export interface FieldChange {
  before: unknown;
  after: unknown;
}

/** One created, updated or deleted row, stored in the transaction of that write. */
@Entity('audit_entries')
export class AuditEntry {
  @Id()
  _id: string;

  @Instant()
  at: string;

  /** Username of the account, or name of the command. */
  @Column({ type: 'varchar', length: 100 })
  actor: string;

  @Column({ type: 'varchar', length: 16 })
  action: AuditAction;

  @Column({ type: 'varchar', length: 16 })
  entity: AuditedEntity;

  @Column({ type: 'varchar', length: 36 })
  entityId: string;

  /** The row's name at that time; empty for rows without a name. */
  @Column({ type: 'text' })
  name: string;

  /** JSON object: a `FieldChange` for each field. */
  @Column({ type: 'text' })
  changes: string;

  @Column({ type: 'varchar', length: 128 })
  requestId: string;

  /** Address of the client; empty for a command. */
  @Column({ type: 'varchar', length: 45, default: '' })
  address: string;

  /** The API token that acted for the account. */
  @Column({ type: 'varchar', length: 36, nullable: true })
  tokenId: string | null;

  @Column({ type: 'varchar', length: 100, nullable: true })
  tokenName: string | null;

  /** How many events share this row: more than 1 only for failed and limited logins. */
  @Column({ type: 'integer', default: 1 })
  count: number;

  /** Digest of the key by which equal events are counted in this row; null once the row counts no more events. */
  @Column({ type: 'varchar', length: 64, nullable: true })
  foldKey: string | null;
}
