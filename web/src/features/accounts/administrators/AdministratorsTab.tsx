import { useMemo } from 'react';
import { useRemoval } from '../../../lib/notifications/useRemoval';
import { useDialogParam } from '../../../lib/routing/useDialogParam';
import { useListQuery } from '../../../shared/list/useListQuery';
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog';
import { SecretDialog } from '../../../ui/dialog/SecretDialog';
import { AddButton } from '../../../ui/layout/AddButton';
import { ListSection } from '../../../ui/list/ListQueryView';
import { RemoveAction, RowAction } from '../../../ui/list/rows/RowAction';
import { accountsMessages as messages } from '../accounts.messages';
import {
  AdminsDocument,
  type AdminsQuery,
  useAdminsQuery,
  useDeleteAdminMutation,
  useResetAdminMutation,
} from '../generated/accounts';
import { showInvitation } from '../invitation';
import { type Administrator, createAdminColumns } from './adminColumns';
import { CreateAdminDialog } from './CreateAdminDialog';
import { EditAdminDialog } from './EditAdminDialog';

const DIALOGS = ['novo', 'papel', 'redefinir', 'remover'] as const;
const selectRows = ({ admins }: AdminsQuery) => admins;
const toSearchText = ({ username }: Administrator) => username;

export function AdministratorsTab() {
  const dialog = useDialogParam(DIALOGS);
  const result = useAdminsQuery();
  const ownId = result.data?.me._id;
  const columns = useMemo(() => createAdminColumns(ownId), [ownId]);
  const admins = useListQuery(result, {
    selectRows,
    columns,
    toSearchText,
    failureMessage: messages.failure.load,
    isFailureNotified: true,
  });
  const selected = admins.loadedRows.find(({ _id }) => _id === dialog.id);
  const [deleteAdmin] = useDeleteAdminMutation();
  const [reset] = useResetAdminMutation({ fetchPolicy: 'no-cache', refetchQueries: [AdminsDocument] });
  const getRemovalProps = useRemoval<Administrator>({
    message: ({ username }) => messages.removal.message(username),
    send: ({ _id }) => deleteAdmin({ variables: { id: _id } }),
    entity: ({ _id }) => ({ __typename: 'Administrator', _id }),
    onClose: dialog.close,
    success: messages.success.removed,
    failureMessage: messages.failure.remove,
  });

  return (
    <>
      <ListSection
        query={admins}
        texts={messages.list}
        action={<AddButton label={messages.list.add} onClick={() => dialog.open('novo')} />}
        actionsWidth="340px"
        actions={({ _id }) =>
          _id !== ownId && (
            <>
              <RowAction label={messages.list.role} icon="pencil" onClick={() => dialog.open('papel', _id)} />
              <RowAction label={messages.list.reset} icon="key" onClick={() => dialog.open('redefinir', _id)} />
              <RemoveAction onClick={() => dialog.open('remover', _id)} />
            </>
          )
        }
      />
      {dialog.name === 'novo' && <CreateAdminDialog onClose={dialog.close} />}
      {dialog.name === 'papel' && selected && (
        <EditAdminDialog key={selected._id} admin={selected} onClose={dialog.close} />
      )}
      {dialog.name === 'remover' && selected && <ConfirmDialog {...getRemovalProps(selected)} />}
      {dialog.name === 'redefinir' && selected && (
        <ConfirmDialog
          title={messages.resetting.title}
          message={messages.resetting.message(selected.username)}
          confirmLabel={messages.resetting.confirm}
          failureMessage={messages.failure.reset}
          onClose={dialog.close}
          onConfirm={async () => {
            await SecretDialog.preload();
            const { data } = await reset({ variables: { id: selected._id } });
            dialog.close();
            if (data) showInvitation(data.resetAdmin);
          }}
        />
      )}
    </>
  );
}
