import { And, Equal, In, Not } from 'typeorm';
import { AuditEntry, type AuditedEntity, type FieldChange } from '../../platform/audit/audit-entry.entity';
import type { Database } from '../../platform/database/database';
import type { Role } from '../../platform/http/access';
import type { AuditQuery } from './audit.schema';

const ADMINISTRATORS_ONLY: AuditedEntity[] = ['admin', 'token', 'login'];

/** Reads the audit entries that `Database.serializedWrite` stores. */
export class AuditService {
  constructor(private readonly database: Pick<Database, 'read'>) {}

  /** Newest first. Only administrators read of accounts, tokens and logins. */
  async list({ page, limit, entity, actor }: AuditQuery, role: Role) {
    const hidden = role === 'administrator' ? [] : ADMINISTRATORS_ONLY;
    const [rows, total] = await this.database.read.findAndCount(AuditEntry, {
      where: {
        entity: And(Not(In(hidden)), ...(entity ? [Equal(entity)] : [])),
        ...(actor && { actor }),
      },
      order: { at: 'DESC', _id: 'DESC' },
      skip: (page - 1) * limit,
      take: limit,
    });
    const changesOf = ({ changes }: AuditEntry): Record<string, FieldChange> => JSON.parse(changes);
    return { entries: rows.map((row) => ({ ...row, changes: changesOf(row) })), total };
  }
}
