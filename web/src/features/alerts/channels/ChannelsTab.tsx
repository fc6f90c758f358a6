import { useRemoval } from '../../../lib/notifications/useRemoval';
import { useDialogParam } from '../../../lib/routing/useDialogParam';
import { AdministratorsOnlyContext } from '../../../lib/session/access';
import { useListQuery } from '../../../shared/list/useListQuery';
import { Chip } from '../../../ui/cells/Chip';
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog';
import { useAction } from '../../../ui/form/useAction';
import { AddButton } from '../../../ui/layout/AddButton';
import type { Column } from '../../../ui/list/column';
import { ListSection } from '../../../ui/list/ListQueryView';
import { EditAction, RemoveAction, RowAction } from '../../../ui/list/rows/RowAction';
import { alertsMessages } from '../alerts.messages';
import {
  type AlertChannelsQuery,
  type ChannelRowFragment,
  useAlertChannelsQuery,
  useDeleteAlertChannelMutation,
  useTestAlertChannelMutation,
} from '../generated/alerts';
import { ChannelDialog } from './ChannelDialog';

const { channels: messages, severities } = alertsMessages;
const DIALOGS = ['novo', 'editar', 'remover'] as const;
const selectRows = ({ alertChannels }: AlertChannelsQuery) => alertChannels;
const toSearchText = ({ name, type }: ChannelRowFragment) => `${name} ${messages.types[type]}`;
const formatReceiver = ({ chatId, to, url }: ChannelRowFragment) => chatId ?? to ?? url ?? messages.ofSettings;

function ChannelState({ channel: { enabled, failingSince } }: { channel: ChannelRowFragment }) {
  if (!enabled) return <Chip>{messages.off}</Chip>;
  return failingSince ? <Chip color="red">{messages.failing}</Chip> : <Chip color="green">{messages.on}</Chip>;
}

const columns: Column<ChannelRowFragment>[] = [
  { id: 'name', header: messages.columns.name, isHeading: true, sort: ({ name }) => name },
  { id: 'type', header: messages.columns.type, width: '120px', cell: ({ type }) => messages.types[type] },
  { id: 'receiver', isWide: true, header: messages.columns.receiver, cell: formatReceiver },
  {
    id: 'severity',
    header: messages.columns.severity,
    width: '130px',
    cell: ({ minSeverity }) => severities[minSeverity],
  },
  {
    id: 'state',
    header: messages.columns.state,
    width: '120px',
    cell: (channel) => <ChannelState channel={channel} />,
  },
];

function TestAction({ id }: { id: string }) {
  const [test] = useTestAlertChannelMutation();
  const { success, failure } = messages;
  const texts = { success: success.tested, failureMessage: failure.test, messageFrom: 'details' } as const;
  const { run, isPending } = useAction({ ...texts, send: () => test({ variables: { id } }) });
  return <RowAction label={messages.test} icon="flask" isPending={isPending} onClick={run} />;
}

export function ChannelsTab() {
  const dialog = useDialogParam(DIALOGS);
  const channels = useListQuery(useAlertChannelsQuery(), {
    selectRows,
    columns,
    toSearchText,
    failureMessage: messages.failure.load,
  });
  const selected = channels.loadedRows.find(({ _id }) => _id === dialog.id);
  const [deleteChannel] = useDeleteAlertChannelMutation();
  const getRemovalProps = useRemoval<ChannelRowFragment>({
    title: messages.removal.title,
    message: ({ name }) => messages.removal.message(name),
    send: ({ _id }) => deleteChannel({ variables: { id: _id } }),
    entity: ({ _id }) => ({ __typename: 'AlertChannel', _id }),
    onClose: dialog.close,
    success: messages.success.removed,
    failureMessage: messages.failure.remove,
  });
  return (
    <AdministratorsOnlyContext value>
      <ListSection
        query={channels}
        texts={messages}
        action={<AddButton label={messages.add} onClick={() => dialog.open('novo')} />}
        actionsWidth="300px"
        actions={({ _id }) => (
          <>
            <TestAction id={_id} />
            <EditAction onClick={() => dialog.open('editar', _id)} />
            <RemoveAction onClick={() => dialog.open('remover', _id)} />
          </>
        )}
      />
      {dialog.name === 'novo' && <ChannelDialog onClose={dialog.close} />}
      {dialog.name === 'editar' && selected && (
        <ChannelDialog key={selected._id} channel={selected} onClose={dialog.close} />
      )}
      {dialog.name === 'remover' && selected && <ConfirmDialog {...getRemovalProps(selected)} />}
    </AdministratorsOnlyContext>
  );
}
