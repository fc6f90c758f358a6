import type { AuditAction } from '../../generated/graph';
import { Chip, type ChipColor } from '../../ui/list/Chip';
import type { Column } from '../../ui/list/column';
import { DateTime } from '../../ui/list/RelativeTime';
import { auditMessages as messages } from './audit.messages';
import styles from './audit.module.css';
import type { AuditEntry } from './csv';

const COLORS: Record<AuditAction, ChipColor> = { create: 'green', update: 'blue', delete: 'red' };
const LITERALS: Record<string, string> = {
  '""': messages.none,
  null: messages.none,
  true: messages.yes,
  false: messages.no,
  '[]': messages.none,
};

/** A JSON value as people read it: texts and lists of texts without quotes and brackets. */
function displayValue(value: string | null | undefined): string {
  if (value == null) return messages.none;
  return (
    LITERALS[value] ??
    value.replace(/^\["(.*)"\]$/s, (_, list) => list.replaceAll('","', ', ')).replace(/^"(.*)"$/s, '$1')
  );
}

export const auditColumns: Column<AuditEntry>[] = [
  {
    id: 'what',
    header: messages.columns.what,
    heading: true,
    width: '30%',
    cell: ({ action, entity, name }) => (
      <span className={styles.what}>
        <Chip color={COLORS[action]}>{messages.actions[action]}</Chip> {messages.entities[entity]} {name}
      </span>
    ),
  },
  { id: 'actor', header: messages.columns.actor, width: '140px', cell: ({ actor }) => actor },
  {
    id: 'at',
    header: messages.columns.at,
    width: '150px',
    cell: ({ at, requestId }) => (
      <span title={messages.request(requestId)}>
        <DateTime at={at} />
      </span>
    ),
  },
  {
    id: 'changes',
    share: 2,
    header: messages.columns.changes,
    cell: ({ action, changes }) =>
      changes.length === 0 ? (
        <span className={styles.text}>{messages.noChanges}</span>
      ) : (
        <ul className={styles.changes}>
          {changes
            .filter(({ after }) => action !== 'create' || displayValue(after) !== messages.none)
            .map(({ field, before, after }) => (
              <li key={field}>
                {action === 'create'
                  ? messages.set(messages.fieldName(field), displayValue(after))
                  : messages.changed(messages.fieldName(field), displayValue(before), displayValue(after))}
              </li>
            ))}
        </ul>
      ),
  },
];
