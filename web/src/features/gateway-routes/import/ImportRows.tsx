import { useVirtualRowsIn } from '../../../ui/list/virtual/useVirtualRows';
import { VirtualList } from '../../../ui/list/virtual/VirtualList';
import { Chip, type ChipColor } from '../../../ui/row/Chip';
import { RowCheckbox } from '../../../ui/row/RowCheckbox';
import { routesMessages } from '../gateway-routes.messages';
import { MethodChip } from '../MethodChip';
import type { ImportRow, RowState } from './importSelection';

const { importing: messages } = routesMessages;
/** Style of the rows of the dialog. The field of the permission is beside or below the checkbox of its route. */
export const importRowsCss = {
  '& > li:not([aria-hidden])': {
    display: 'grid',
    gridTemplateColumns: { base: 'minmax(0, 1fr)', md: 'minmax(0, 1fr) 340px' },
    rowGap: '1',
    columnGap: '4',
    py: '2',
    px: '4',
  },
  '& > li:not([aria-hidden]) + li:not([aria-hidden])': { borderTopWidth: '1px', borderColor: 'border' },
  '& label > small': { display: 'block' },
  // The checkbox stands beside the first line of its route, and on a wide screen beside the field, too.
  '& > li > div > label': { alignItems: 'start', py: { base: '5px', md: '9px' } },
  '& > li > div input': { marginTop: '2px' },
  '& > li > div + label': {
    display: { md: 'grid' },
    gridTemplateColumns: 'auto minmax(0, 1fr)',
    alignItems: 'center',
    alignSelf: { md: 'start' },
    columnGap: '2',
  },
  '& input + small': { gridColumn: { md: '2' }, marginTop: '0.5' },
  '& small[data-error]': { color: 'fg.error' },
  '& label > span': { display: 'flex', flexWrap: 'wrap', alignItems: 'center', rowGap: '1', columnGap: '3' },
  '& label > span > code': { overflowWrap: 'anywhere' },
  '& input[type=text]': {
    width: '100%',
    height: '40px',
    px: '3',
    border: '1px solid {colors.border.input}',
    borderRadius: 'sm',
    bg: 'bg.panel',
    fontSize: { base: '16px', md: '14px' },
    _disabled: { opacity: '0.5' },
    _invalid: { borderColor: 'fg.error' },
  },
};
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
      <div>
        <RowCheckbox
          label={
            <span>
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
      <label>
        <small aria-hidden>{messages.permission}</small>
        <input
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
          <small aria-hidden data-error={error ? true : undefined}>
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

/** The routes of a manifest with their choices. Long lists mount only the rows in view. */
export function ImportRows({ rows, errors, onChange }: ImportRowsProps) {
  const pinnedIndex = rows.findIndex(({ key }) => errors[key] !== undefined);
  const virtual = useVirtualRowsIn(SCROLLER, { rows, rowKey: getRowKey, rowHeightPx: ROW_PX, pinnedIndex });
  return (
    <VirtualList layerStyle="panel" css={importRowsCss} virtual={virtual}>
      {(row) => (
        <RouteChoice row={row} error={errors[row.key]} onChange={(changes) => onChange({ ...row, ...changes })} />
      )}
    </VirtualList>
  );
}
