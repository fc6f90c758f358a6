import type { AuditAction } from '../../generated/graph';
import { Chip, type ChipColor } from '../../ui/cells/Chip';
import rowStyles from '../../ui/cells/cells.module.css';
import { DateTime } from '../../ui/cells/RelativeTime';
import type { Column } from '../../ui/list/column';
import { uiMessages } from '../../ui/ui.messages';
import { auditMessages as messages } from './audit.messages';
import styles from './audit.module.css';
import { chooseVerb, formatJson, getEntityName, type Names, selectChanges } from './changeText';
import type { AuditEntry } from './csv';

/** The actor of changes that the core makes by itself. */
const SYSTEM = 'core';

const COLORS: Record<AuditAction, ChipColor> = {
  create: 'green',
  update: 'blue',
  delete: 'red',
  success: 'green',
  failure: 'red',
  limited: 'red',
  recovery: 'blue',
  elevated: 'blue',
};

interface ChangeLine {
  field: string;
  text: string;
}

const ChangeList = ({ lines }: { lines: readonly ChangeLine[] }) => (
  <ul className={styles.changes}>
    {lines.map(({ field, text }) => (
      <li key={field}>{text}</li>
    ))}
  </ul>
);

/** Shows the first field of a new entity. A click expands the other fields. */
function CreatedFields({ lines: [first, ...otherLines] }: { lines: readonly ChangeLine[] }) {
  if (otherLines.length === 0) return first?.text;
  return (
    <details className={styles.created}>
      <summary data-chevron>
        <span>{first?.text}</span> <small>{messages.more(otherLines.length)}</small>
      </summary>
      <ChangeList lines={otherLines} />
    </details>
  );
}

function Changes({ entry, names }: { entry: AuditEntry; names: Names }) {
  const { action, entity } = entry;
  const lines = selectChanges(entry, names).map(({ field, before, after }) => {
    const name = messages.fieldName(entity, field);
    const fieldOfEntity = { entity, field };
    const newValue = formatJson(after, fieldOfEntity, names);
    const text =
      action === 'create'
        ? messages.set(name, newValue)
        : messages.changed(name, formatJson(before, fieldOfEntity, names), newValue);
    return { field, text };
  });
  if (lines.length === 0) return <span className={rowStyles.muted}>{messages.noChanges}</span>;
  return action === 'create' ? <CreatedFields lines={lines} /> : <ChangeList lines={lines} />;
}

/** Returns the columns of the list. @param names names of the entities in changes */
export const createAuditColumns = (names: Names): Column<AuditEntry>[] => [
  {
    id: 'what',
    header: messages.columns.what,
    isHeading: true,
    width: '30%',
    cell: ({ action, entity, name, changes }) => (
      <span className={styles.what}>
        <Chip color={COLORS[action]}>{chooseVerb(action, changes)}</Chip>{' '}
        {entity !== 'login' && messages.entities[entity]} {getEntityName({ entity, name }, names)}
      </span>
    ),
  },
  {
    id: 'actor',
    header: messages.columns.actor,
    width: '140px',
    cell: ({ actor, tokenName }) => (
      <>
        {actor === SYSTEM ? messages.system : actor || messages.unknownAccount}
        {tokenName && <small> {messages.byToken(tokenName)}</small>}
      </>
    ),
  },
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
    isWide: true,
    flex: 2,
    header: messages.columns.changes,
    cell: (entry) =>
      entry.entity === 'login' ? (
        <span className={rowStyles.muted}>
          {uiMessages.from(entry.address)}
          {entry.count > 1 && ` · ${messages.times(entry.count)}`}
        </span>
      ) : (
        <Changes entry={entry} names={names} />
      ),
  },
];
