import { useMemo } from 'react';
import { brand } from '../../lib/brand';
import { failureOf } from '../../lib/failure';
import { notify, notifyFailure } from '../../lib/notification';
import { useDialogParam } from '../../lib/useDialogParam';
import { useRemoval } from '../../lib/useRemoval';
import { useSearchParamsState } from '../../lib/useSearchParamsState';
import { useShowRequests } from '../../lib/useShowRequests';
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { Button } from '../../ui/form/Button';
import { focusFirstField } from '../../ui/form/Form';
import { Page } from '../../ui/layout/Page';
import type { Column } from '../../ui/list/column';
import { ListQueryView } from '../../ui/list/ListQueryView';
import type { ListFilter } from '../../ui/list/useList';
import { useListQuery } from '../../ui/list/useListQuery';
import { CreateKeyForm } from './CreateKeyForm';
import { EditKeyDialog } from './EditKeyDialog';
import { keysMessages as messages } from './gateway-keys.messages';
import styles from './gateway-keys.module.css';
import {
  type ApiKeyRowFragment,
  type ApiKeysQuery,
  useApiKeysQuery,
  useDeleteApiKeyMutation,
  useKeyActivityQuery,
  useUpdateApiKeyMutation,
} from './generated/gateway-keys';
import { KeyList } from './KeyList';
import { keyStatus } from './keyStatus';
import { covers } from './permissionGroups';
import { RotateKeyDialog } from './RotateKeyDialog';
import { mostUsedKey, totalUsage } from './usage';

export const meta = () => [{ title: `${messages.title} · ${brand()}` }];

const DIALOGS = ['editar', 'desativar', 'girar', 'remover'] as const;
const number = new Intl.NumberFormat('pt-BR');
const rowsOf = ({ apiKeys }: ApiKeysQuery) => apiKeys;
const textOf = ({ name, prefix, note, permissions }: ApiKeyRowFragment) =>
  `${name} ${prefix ?? ''} ${note} ${permissions.join(' ')}`;
const { status, disabling, success, failure } = messages;
const filter: ListFilter<ApiKeyRowFragment> = {
  label: status.label,
  all: status.all,
  options: Object.entries(status.words).map(([value, label]) => ({ value, label })),
  valueOf: (key) => keyStatus(key),
};
/** The sort orders of the keys, which are shown as an expandable list and not as a table. */
const columns: Column<ApiKeyRowFragment>[] = [
  { id: 'name', header: messages.form.name, cell: ({ name }) => name, sort: ({ name }) => name },
  { id: 'usageCount', header: messages.list.total, cell: () => null, sort: ({ usageCount }) => usageCount },
  { id: 'lastUsedAt', header: messages.list.lastUsed, cell: () => null, sort: ({ lastUsedAt }) => lastUsedAt ?? null },
];

/** `/gateway/keys`: create, inspect, edit and delete API keys. */
export default function KeysPage() {
  const keys = useListQuery(useApiKeysQuery(), {
    rowsOf,
    columns,
    textOf,
    filter,
    fallback: messages.failure.load,
    isNotified: true,
  });
  const { params, update: updateAddress } = useSearchParamsState();
  const permission = params.get('permissao');
  const callers = permission === null ? null : keys.list.rows.filter((key) => covers(key.permissions, permission));
  const shown = callers && callers.length > 0 ? { ...keys, list: { ...keys.list, rows: callers } } : keys;
  const showAll = () => updateAddress((next) => next.delete('permissao'), { replace: true });
  const showRequests = useShowRequests();
  // A query of its own, so that the list neither waits for it nor fails with it.
  const { data: activity } = useKeyActivityQuery({ fetchPolicy: 'no-cache' });
  const traffic = useMemo(
    () => activity && new Map(activity.keyActivity.keys.map(({ keyId, requests }) => [keyId, requests])),
    [activity],
  );
  const dialog = useDialogParam(DIALOGS);
  const selected = keys.all.find(({ _id }) => _id === dialog.id);
  const [deleteKey] = useDeleteApiKeyMutation();
  const [update] = useUpdateApiKeyMutation();
  const setDisabled = async ({ _id }: ApiKeyRowFragment, disabled: boolean) => {
    await update({ variables: { id: _id, input: { disabled } } });
    notify(disabled ? success.disabled : success.enabled);
  };
  const removal = useRemoval<ApiKeyRowFragment>({
    title: messages.removal.title,
    message: ({ name }) => messages.removal.message(name),
    confirmLabel: messages.removal.confirm,
    send: ({ _id }) => deleteKey({ variables: { id: _id } }),
    entity: ({ _id }) => ({ __typename: 'ApiKey', _id }),
    onClose: dialog.close,
    success: messages.success.deleted,
    fallback: messages.failure.remove,
    isFailureNotified: true,
  });

  return (
    <Page title={messages.title} subtitle={messages.subtitle}>
      <CreateKeyForm />
      <header className={styles.listHeader}>
        <h2>{messages.list.title}</h2>
        {keys.all.length > 0 && (
          <p className={styles.summary}>
            <span>
              {messages.list.total}: <strong>{number.format(totalUsage(keys.all))}</strong>
            </span>
            <span>
              {messages.list.mostUsed}: <strong>{mostUsedKey(keys.all)?.name ?? messages.list.none}</strong>
            </span>
          </p>
        )}
      </header>
      {permission !== null && callers !== null && callers.length > 0 && (
        <p className={styles.callers}>
          {messages.list.callers(permission)}
          <Button variant="outline" size="sm" onClick={showAll}>
            {messages.list.allKeys}
          </Button>
        </p>
      )}
      <ListQueryView
        query={shown}
        searchLabel={messages.list.search}
        empty={
          <EmptyState
            text={messages.list.empty}
            action={
              <Button variant="outline" onClick={focusFirstField}>
                {messages.list.emptyAction}
              </Button>
            }
          />
        }
      >
        {permission !== null && callers?.length === 0 ? (
          <EmptyState
            text={messages.list.noCallers(permission)}
            action={
              <Button variant="outline" onClick={showAll}>
                {messages.list.allKeys}
              </Button>
            }
          />
        ) : (
          <KeyList
            keys={shown.list.rows}
            traffic={traffic}
            actions={{
              onShowRequests: ({ _id, name }) => showRequests('chave', _id, name),
              onEdit: ({ _id }) => dialog.open('editar', _id),
              onDisable: ({ _id }) => dialog.open('desativar', _id),
              onEnable: (key) => {
                setDisabled(key, false).catch((error) => notifyFailure(failureOf(error, failure.update)));
              },
              onRotate: ({ _id }) => dialog.open('girar', _id),
              onRemove: ({ _id }) => dialog.open('remover', _id),
            }}
          />
        )}
      </ListQueryView>
      {dialog.name === 'editar' && selected && (
        <EditKeyDialog key={selected._id} apiKey={selected} onClose={dialog.close} />
      )}
      {dialog.name === 'girar' && selected && (
        <RotateKeyDialog key={selected._id} apiKey={selected} onClose={dialog.close} />
      )}
      {dialog.name === 'desativar' && selected && (
        <ConfirmDialog
          title={disabling.title}
          message={disabling.message(selected.name)}
          confirmLabel={disabling.confirm}
          width={500}
          fallback={failure.update}
          onClose={dialog.close}
          onConfirm={async () => {
            await setDisabled(selected, true);
            dialog.close();
          }}
        />
      )}
      {dialog.name === 'remover' && selected && <ConfirmDialog {...removal(selected)} width={500} />}
    </Page>
  );
}
