import { useRemoval } from '../../../lib/notifications/useRemoval';
import { useDialogParam } from '../../../lib/routing/useDialogParam';
import { useListQuery } from '../../../shared/list/useListQuery';
import { Chip } from '../../../ui/cells/Chip';
import { DateTime } from '../../../ui/cells/RelativeTime';
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog';
import { AddButton } from '../../../ui/layout/AddButton';
import type { Column } from '../../../ui/list/column';
import { ListSection } from '../../../ui/list/ListQueryView';
import { RemoveAction } from '../../../ui/list/rows/RowAction';
import { alertsMessages } from '../alerts.messages';
import {
  type MaintenanceWindowsQuery,
  useDeleteMaintenanceWindowMutation,
  useMaintenanceWindowsQuery,
  type WindowRowFragment,
} from '../generated/alerts';
import { WindowDialog } from './WindowDialog';

const { maintenance: messages } = alertsMessages;
const DIALOGS = ['novo', 'remover'] as const;
const selectRows = ({ maintenanceWindows }: MaintenanceWindowsQuery) => maintenanceWindows;
const toSearchText = ({ title }: WindowRowFragment) => title;

function WindowState({ row: { active, endsAt, weekdays } }: { row: WindowRowFragment }) {
  if (active) return <Chip color="orange">{messages.active}</Chip>;
  const hasEnded = weekdays.length === 0 && new Date(endsAt).getTime() < Date.now();
  return hasEnded ? <Chip>{messages.ended}</Chip> : <Chip color="blue">{messages.planned}</Chip>;
}

const columns: Column<WindowRowFragment>[] = [
  { id: 'title', header: messages.columns.title, isHeading: true, sort: ({ title }) => title },
  {
    id: 'when',
    isWide: true,
    header: messages.columns.when,
    cell: ({ startsAt, endsAt, weekdays }) => (
      <>
        <DateTime at={startsAt} /> – <DateTime at={endsAt} />
        {weekdays.length > 0 &&
          `, ${messages.weekly(weekdays.map((weekday) => messages.weekdays[weekday]).join(', '))}`}
      </>
    ),
    sort: ({ startsAt }) => startsAt,
  },
  {
    id: 'subjects',
    header: messages.columns.subjects,
    width: '100px',
    isNumeric: true,
    cell: ({ subjects }) => subjects.length,
  },
  { id: 'state', header: messages.columns.state, width: '150px', cell: (row) => <WindowState row={row} /> },
];

/** Maintenance windows, during which alerts about their sites send no messages. */
export function MaintenanceTab() {
  const dialog = useDialogParam(DIALOGS);
  const result = useMaintenanceWindowsQuery();
  const windows = useListQuery(result, { selectRows, columns, toSearchText, failureMessage: messages.failure.load });
  const selected = windows.loadedRows.find(({ _id }) => _id === dialog.id);
  const [deleteWindow] = useDeleteMaintenanceWindowMutation();
  const getRemovalProps = useRemoval<WindowRowFragment>({
    title: messages.removal.title,
    message: ({ title }) => messages.removal.message(title),
    send: ({ _id }) => deleteWindow({ variables: { id: _id } }),
    entity: ({ _id }) => ({ __typename: 'MaintenanceWindow', _id }),
    onClose: dialog.close,
    success: messages.success.removed,
    failureMessage: messages.failure.remove,
  });
  return (
    <>
      <ListSection
        query={windows}
        texts={messages}
        action={<AddButton label={messages.add} onClick={() => dialog.open('novo')} />}
        actionsWidth="120px"
        actionCount={1}
        actions={({ _id }) => <RemoveAction onClick={() => dialog.open('remover', _id)} />}
      />
      {dialog.name === 'novo' && <WindowDialog onClose={dialog.close} />}
      {dialog.name === 'remover' && selected && <ConfirmDialog {...getRemovalProps(selected)} />}
    </>
  );
}
