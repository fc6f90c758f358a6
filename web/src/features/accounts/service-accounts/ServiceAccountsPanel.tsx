import { useRemoval } from '../../../lib/notifications/useRemoval';
import { useDialogParam } from '../../../lib/routing/useDialogParam';
import { useListQuery } from '../../../shared/list/useListQuery';
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog';
import { AddButton } from '../../../ui/layout/AddButton';
import type { Column } from '../../../ui/list/column';
import { ListSection } from '../../../ui/list/ListQueryView';
import { EditAction, RemoveAction } from '../../../ui/list/rows/RowAction';
import { accountsMessages } from '../accounts.messages';
import {
  type ServiceAccountsQuery,
  useDeleteServiceAccountMutation,
  useServiceAccountsQuery,
} from '../generated/accounts';
import { RoleText } from '../rights/RoleText';
import { type ServiceAccount, ServiceAccountDialog } from './ServiceAccountDialog';

const { serviceAccounts: messages, rights, failure, success } = accountsMessages;
const DIALOGS = ['nova-conta', 'conta-papel', 'conta-remover'] as const;
const selectRows = ({ serviceAccounts }: ServiceAccountsQuery) => serviceAccounts;
const toSearchText = ({ name }: ServiceAccount) => name;
const columns: Column<ServiceAccount>[] = [
  { id: 'name', header: messages.name, isHeading: true, sort: ({ name }) => name },
  {
    id: 'role',
    header: rights.role,
    width: '220px',
    cell: ({ role, projects }) => <RoleText role={role} projects={projects} />,
  },
];

/** Lists the service accounts. `DIALOGS` and the dialogs of `TokensTab`, on the same screen, need different names. */
export function ServiceAccountsPanel() {
  const dialog = useDialogParam(DIALOGS);
  const result = useServiceAccountsQuery();
  const accounts = useListQuery(result, {
    selectRows,
    columns,
    toSearchText,
    failureMessage: failure.load,
    isFailureNotified: true,
  });
  const selected = accounts.loadedRows.find(({ _id }) => _id === dialog.id);
  const [deleteAccount] = useDeleteServiceAccountMutation();
  const getRemovalProps = useRemoval<ServiceAccount>({
    message: ({ name }) => messages.removal.message(name),
    send: ({ _id }) => deleteAccount({ variables: { id: _id } }),
    entity: ({ _id }) => ({ __typename: 'ServiceAccount', _id }),
    onClose: dialog.close,
    success: success.serviceAccountRemoved,
    failureMessage: failure.serviceAccounts,
  });
  return (
    <>
      <ListSection
        query={accounts}
        texts={messages}
        action={<AddButton variant="outline" label={messages.add} onClick={() => dialog.open('nova-conta')} />}
        actionsWidth="260px"
        actionCount={2}
        actions={({ _id }) => (
          <>
            <EditAction label={messages.edit} onClick={() => dialog.open('conta-papel', _id)} />
            <RemoveAction onClick={() => dialog.open('conta-remover', _id)} />
          </>
        )}
      />
      {dialog.name === 'nova-conta' && <ServiceAccountDialog onClose={dialog.close} />}
      {dialog.name === 'conta-papel' && selected && (
        <ServiceAccountDialog key={selected._id} account={selected} onClose={dialog.close} />
      )}
      {dialog.name === 'conta-remover' && selected && <ConfirmDialog {...getRemovalProps(selected)} />}
    </>
  );
}
