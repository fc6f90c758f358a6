import { formatCsv } from '../../lib/format/csv';
import { auditMessages } from './audit.messages';
import type { AuditQuery } from './generated/audit';

export type AuditEntry = AuditQuery['audit']['entries'][number];

/** The CSV of the entries, with one line for each changed field. An entry without changes has one line. */
export function toCsv(entries: readonly AuditEntry[]): string {
  const lines = entries.flatMap(({ at, actor, action, entity, entityId, name, changes, requestId }) =>
    (changes.length > 0 ? changes : [{ field: '', before: null, after: null }]).map(({ field, before, after }) => [
      at,
      actor,
      auditMessages.actions[action],
      auditMessages.entities[entity],
      entityId,
      name,
      field && auditMessages.fieldName(entity, field),
      before ?? '',
      after ?? '',
      requestId,
    ]),
  );
  return formatCsv([auditMessages.csv, ...lines]);
}
