import { chakra } from '@chakra-ui/react';
import { notify, notifyFailure } from '../../lib/notifications/notification';
import { useRemoval } from '../../lib/notifications/useRemoval';
import { useDialogParam } from '../../lib/routing/useDialogParam';
import { useSearchParamsState } from '../../lib/routing/useSearchParamsState';
import { useAccess } from '../../lib/session/access';
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog';
import { SelectField } from '../../ui/form/SelectField';
import { AddButton } from '../../ui/layout/AddButton';
import { SectionHeading } from '../../ui/layout/Page';
import { ListQueryView } from '../../ui/list/ListQueryView';
import { EditAction, RemoveAction, RowAction } from '../../ui/list/RowAction';
import { useListQuery } from '../../ui/list/useListQuery';
import { CreateTokenDialog } from './CreateTokenDialog';
import { EditTokenDialog } from './EditTokenDialog';
import {
  type TokensQuery,
  useDeleteTokenMutation,
  useTokenAccountsQuery,
  useTokensQuery,
  useUpdateTokenMutation,
} from './generated/tokens';
import { RotateTokenDialog } from './RotateTokenDialog';
import { type Token, tokenColumns } from './tokenColumns';
import { tokensMessages as messages } from './tokens.messages';

const DIALOGS = ['novo', 'editar', 'trocar', 'revogar'] as const;
const rowsOf = ({ tokens }: TokensQuery) => tokens;
const textOf = ({ name, prefix, scopes }: Token) => `${name} ${prefix} ${scopes.join(' ')}`;

/** The API tokens of the signed-in account. Administrators can choose a service account, which is then in the address. */
export function TokensTab() {
  const { isAdministrator } = useAccess();
  const { params, update: updateAddress } = useSearchParamsState();
  const { data: others } = useTokenAccountsQuery({ skip: !isAdministrator });
  const account = isAdministrator ? params.get('conta') : null;
  const tokens = useListQuery(useTokensQuery({ variables: { account }, fetchPolicy: 'no-cache' }), {
    rowsOf,
    columns: tokenColumns,
    textOf,
    fallback: messages.failure.load,
    isNotified: true,
  });
  const dialog = useDialogParam(DIALOGS);
  const selected = tokens.all.find(({ _id }) => _id === dialog.id);
  const [remove] = useDeleteTokenMutation();
  const [update] = useUpdateTokenMutation({ fetchPolicy: 'no-cache' });
  const setDisabled = async ({ _id }: Token, disabled: boolean) => {
    await update({ variables: { id: _id, input: { disabled } } });
    await tokens.refetch();
    notify(disabled ? messages.success.disabled : messages.success.enabled);
  };
  const removal = useRemoval<Token>({
    title: messages.removal.title,
    message: ({ name }) => messages.removal.message(name),
    confirmLabel: messages.removal.confirm,
    send: ({ _id }) => remove({ variables: { id: _id } }),
    refetch: async () => tokens.refetch(),
    onClose: dialog.close,
    success: messages.success.removed,
    fallback: messages.failure.remove,
  });
  const accounts = [
    { value: '', label: messages.list.own },
    ...(others?.serviceAccounts ?? []).map(({ _id, name }) => ({ value: _id, label: name })),
  ];

  return (
    <>
      <SectionHeading
        title={messages.list.title}
        text={messages.list.text}
        action={<AddButton forEveryone label={messages.list.add} onClick={() => dialog.open('novo')} />}
      />
      {isAdministrator && accounts.length > 1 && (
        <chakra.div maxW="20rem" mb="4">
          <SelectField
            label={messages.list.account}
            value={account ?? ''}
            options={accounts}
            onChange={(value) => updateAddress({ conta: value })}
          />
        </chakra.div>
      )}
      <ListQueryView
        query={tokens}
        texts={messages.list}
        headingLevel={3}
        actionsWidth="430px"
        actionCount={4}
        actions={(token) => (
          <>
            <EditAction forEveryone rowName={token.name} onClick={() => dialog.open('editar', token._id)} />
            <RowAction
              forEveryone
              label={messages.list.rotate}
              rowName={token.name}
              icon="refresh"
              onClick={() => dialog.open('trocar', token._id)}
            />
            <RowAction
              forEveryone
              label={token.disabled ? messages.list.enable : messages.list.disable}
              rowName={token.name}
              icon="power"
              onClick={() => setDisabled(token, !token.disabled).catch(notifyFailure(messages.failure.update))}
            />
            <RemoveAction
              forEveryone
              label={messages.list.remove}
              rowName={token.name}
              onClick={() => dialog.open('revogar', token._id)}
            />
          </>
        )}
      />
      {dialog.name === 'novo' && <CreateTokenDialog account={account} site={dialog.id} onClose={dialog.close} />}
      {dialog.name === 'editar' && selected && <EditTokenDialog token={selected} onClose={dialog.close} />}
      {dialog.name === 'trocar' && selected && <RotateTokenDialog token={selected} onClose={dialog.close} />}
      {dialog.name === 'revogar' && selected && <ConfirmDialog {...removal(selected)} />}
    </>
  );
}
