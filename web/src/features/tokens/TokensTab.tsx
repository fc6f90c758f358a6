import { chakra } from '@chakra-ui/react';
import { notifyFailure } from '../../lib/notifications/notification';
import { useDialogParam } from '../../lib/routing/useDialogParam';
import { useSearchParamsState } from '../../lib/routing/useSearchParamsState';
import { useAccess } from '../../lib/session/access';
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog';
import { toRowOptions } from '../../ui/form/fields/rowOptions';
import { SelectField } from '../../ui/form/fields/SelectField';
import { AddButton } from '../../ui/layout/AddButton';
import { SectionHeading } from '../../ui/layout/Page';
import { ListQueryView } from '../../ui/list/ListQueryView';
import { EditAction, RemoveAction, RowAction } from '../../ui/list/rows/RowAction';
import { CreateTokenDialog } from './CreateTokenDialog';
import { EditTokenDialog } from './EditTokenDialog';
import { useTokenAccountsQuery } from './generated/tokens';
import { RotateTokenDialog } from './RotateTokenDialog';
import type { Token } from './tokenColumns';
import { tokensMessages as messages } from './tokens.messages';
import { useTokenList } from './useTokenList';

const DIALOGS = ['novo', 'editar', 'trocar', 'revogar'] as const;
type TokenDialog = (typeof DIALOGS)[number];

/** Chooses a service account, or the logged-in account. The field is hidden while there is no service account. */
function AccountSelect({ account, onChange }: { account: string | null; onChange: (account: string) => void }) {
  const { data } = useTokenAccountsQuery();
  const accounts = data?.serviceAccounts ?? [];
  if (accounts.length === 0) return null;
  return (
    <chakra.div maxW="20rem" mb="4">
      <SelectField
        label={messages.list.account}
        value={account ?? ''}
        options={[{ value: '', label: messages.list.own }, ...toRowOptions(accounts)]}
        onChange={onChange}
      />
    </chakra.div>
  );
}

interface TokenActionsProps {
  token: Token;
  onOpen: (dialog: TokenDialog, id: string) => void;
  onSetDisabled: (token: Token, disabled: boolean) => Promise<void>;
}

const TokenActions = ({ token, onOpen, onSetDisabled }: TokenActionsProps) => (
  <>
    <EditAction allowViewers onClick={() => onOpen('editar', token._id)} />
    <RowAction allowViewers label={messages.list.rotate} icon="refresh" onClick={() => onOpen('trocar', token._id)} />
    <RowAction
      allowViewers
      label={token.disabled ? messages.list.enable : messages.list.disable}
      icon="power"
      onClick={() => onSetDisabled(token, !token.disabled).catch(notifyFailure(messages.failure.update))}
    />
    <RemoveAction allowViewers label={messages.list.remove} onClick={() => onOpen('revogar', token._id)} />
  </>
);

/** The API tokens of the logged-in account. Administrators can choose a service account, which is then in the URL. */
export function TokensTab() {
  const { isAdministrator } = useAccess();
  const { params, update: updateParams } = useSearchParamsState();
  const account = isAdministrator ? params.get('conta') : null;
  const dialog = useDialogParam(DIALOGS);
  const { tokens, setDisabled, getRemovalProps } = useTokenList(account, dialog.close);
  const selected = tokens.loadedRows.find(({ _id }) => _id === dialog.id);

  return (
    <>
      <SectionHeading
        title={messages.list.title}
        text={messages.list.text}
        action={<AddButton allowViewers label={messages.list.add} onClick={() => dialog.open('novo')} />}
      />
      {isAdministrator && <AccountSelect account={account} onChange={(conta) => updateParams({ conta })} />}
      <ListQueryView
        query={tokens}
        texts={messages.list}
        headingLevel={3}
        actionsWidth="430px"
        actionCount={4}
        actions={(token) => <TokenActions token={token} onOpen={dialog.open} onSetDisabled={setDisabled} />}
      />
      {dialog.name === 'novo' && <CreateTokenDialog account={account} site={dialog.id} onClose={dialog.close} />}
      {dialog.name === 'editar' && selected && (
        <EditTokenDialog key={selected._id} token={selected} onClose={dialog.close} />
      )}
      {dialog.name === 'trocar' && selected && (
        <RotateTokenDialog key={selected._id} token={selected} onClose={dialog.close} />
      )}
      {dialog.name === 'revogar' && selected && <ConfirmDialog allowViewers {...getRemovalProps(selected)} />}
    </>
  );
}
