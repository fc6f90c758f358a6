import { Chip, type ChipColor } from '../../../ui/cells/Chip';
import { RowCheckbox } from '../../../ui/cells/RowCheckbox';
import { useVirtualRowsIn } from '../../../ui/list/virtual/useVirtualRows';
import { VirtualList } from '../../../ui/list/virtual/VirtualList';
import { routesMessages } from '../gateway-routes.messages';
import { MethodChip } from '../MethodChip';
import styles from './ImportRows.module.css';
import type { ImportRow, RowState } from './importSelection';

const { importing: messages } = routesMessages;
const stateColors: Record<RowState, ChipColor> = { new: 'green', changed: 'orange', unchanged: 'neutral' };

interface RouteChoiceProps {
  row: ImportRow;
  error?: string;
  onChange: (change: Partial<ImportRow>) => void;
}

function RouteChoice({ row, error, onChange }: RouteChoiceProps) {
  const { method, path, origin, permission, summary, otherServer, selected, state, isSuggested, isPublic } = row;
  const note = error ?? (isSuggested ? messages.suggested : undefined);
  return (
    <>
      <div className={styles.choice}>
        <RowCheckbox
          label={
            <span className={styles.route}>
              <MethodChip method={method} />
              <code>{path}</code>
              <Chip color={stateColors[state]}>{messages.states[state]}</Chip>
              <small>{messages.servedAt(origin)}</small>
              {isPublic && <Chip>{routesMessages.isPublic}</Chip>}
              {summary && <small>{summary}</small>}
              {otherServer && <small>{messages.otherServer(otherServer)}</small>}
            </span>
          }
          checked={selected}
          disabled={state === 'unchanged'}
          onChange={(isSelected) => onChange({ selected: isSelected })}
        />
      </div>
      <label className={styles.permission}>
        <small aria-hidden className={styles.label}>
          {messages.permission}
        </small>
        <input
          className={styles.field}
          type="text"
          aria-label={messages.permissionOf(method, path)}
          aria-invalid={error ? true : undefined}
          aria-description={note}
          placeholder={messages.permissionPlaceholder}
          value={permission}
          disabled={!selected}
          onChange={(event) => onChange({ permission: event.target.value })}
        />
        {note && (
          <small aria-hidden className={styles.note} data-error={error ? true : undefined}>
            {note}
          </small>
        )}
      </label>
    </>
  );
}

interface ImportRowsProps {
  rows: readonly ImportRow[];
  /** Errors by the key of the row. */
  errors: Readonly<Record<string, string>>;
  onChange: (changed: ImportRow) => void;
}

/** The element that scrolls in a full-screen dialog. */
const SCROLLER = '[data-part="positioner"]';
const ROW_PX = 57;
const getRowKey = ({ key }: ImportRow) => key;

/** The routes of a manifest with their choices. A long list mounts the rows in view and the first row with an error. */
export function ImportRows({ rows, errors, onChange }: ImportRowsProps) {
  const pinnedIndex = rows.findIndex(({ key }) => errors[key] !== undefined);
  const virtual = useVirtualRowsIn(SCROLLER, { rows, rowKey: getRowKey, rowHeightPx: ROW_PX, pinnedIndex });
  return (
    <VirtualList layerStyle="panel" className={styles.rows} virtual={virtual}>
      {(row) => (
        <RouteChoice row={row} error={errors[row.key]} onChange={(changes) => onChange({ ...row, ...changes })} />
      )}
    </VirtualList>
  );
}
