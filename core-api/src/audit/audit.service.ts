import { AuditEntry, type FieldChange } from '../database/audit-entry.entity';
import type { Database } from '../database/source';
import type { AuditQuery } from './audit.schema';

/** Reads the trail that `Database.change` writes. */
export class AuditService {
  constructor(private readonly database: Pick<Database, 'read'>) {}

  /** Newest first. */
  async list({ page, limit, entity, actor }: AuditQuery) {
    const [rows, total] = await this.database.read.findAndCount(AuditEntry, {
      where: { ...(entity && { entity }), ...(actor && { actor }) },
      order: { at: 'DESC', _id: 'DESC' },
      skip: (page - 1) * limit,
      take: limit,
    });
    const changesOf = ({ changes }: AuditEntry): Record<string, FieldChange> => JSON.parse(changes);
    return { entries: rows.map((row) => ({ ...row, changes: changesOf(row) })), total };
  }
}
