import { Column, Entity } from 'typeorm';
import { Id, Instant } from './columns';

export const auditActions = ['create', 'update', 'delete'] as const;
export type AuditAction = (typeof auditActions)[number];

/** What the audit trail records. */
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
] as const;
export type AuditedEntity = (typeof auditedEntities)[number];

/** What a field was and is; null where there was or is none. */
export interface FieldChange {
  before: unknown;
  after: unknown;
}

/** One row that somebody created, changed or removed; stored in the transaction of that change. */
@Entity('audit_entries')
export class AuditEntry {
  @Id()
  _id: string;

  @Instant()
  at: string;

  /** Name of the account, or of the command. */
  @Column({ type: 'varchar', length: 100 })
  actor: string;

  @Column({ type: 'varchar', length: 16 })
  action: AuditAction;

  @Column({ type: 'varchar', length: 16 })
  entity: AuditedEntity;

  @Column({ type: 'varchar', length: 36 })
  entityId: string;

  /** At that time; empty for what has no name. */
  @Column({ type: 'text' })
  name: string;

  /** JSON: a `FieldChange` by field. */
  @Column({ type: 'text' })
  changes: string;

  @Column({ type: 'varchar', length: 128 })
  requestId: string;
}
