import { Button } from '@chakra-ui/react';
import { brand } from '../../ui/brand';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import type { Column } from '../../ui/columns';
import { EmptyState, NoMatch } from '../../ui/EmptyState';
import { failureText } from '../../ui/failure';
import { focusFirstField } from '../../ui/focusFirstField';
import { ListState } from '../../ui/ListState';
import { ListToolbar } from '../../ui/ListToolbar';
import { notify } from '../../ui/notification';
import { Page } from '../../ui/Page';
import { useDialogParam } from '../../ui/useDialogParam';
import { useFailureNotice } from '../../ui/useFailureNotice';
import { useList } from '../../ui/useList';
import { CreateKeyForm } from './CreateKeyForm';
import { EditKeyDialog } from './EditKeyDialog';
import { keysMessages as messages } from './gateway-keys.messages';
import styles from './gateway-keys.module.css';
import { type ApiKeyRowFragment, useApiKeysQuery, useDeleteApiKeyMutation } from './generated/gateway-keys';
import { KeyList } from './KeyList';
import { mostUsedKey, totalUsage } from './usage';

export const meta = () => [{ title: `${messages.title} · ${brand()}` }];

const DIALOGS = ['editar', 'remover'] as const;
const number = new Intl.NumberFormat('pt-BR');
const textOf = ({ name, permissions }: ApiKeyRowFragment) => `${name} ${permissions.join(' ')}`;
/** What the keys can be put in order by; they are shown as an expandable list, not as a table. */
const orders: Column<ApiKeyRowFragment>[] = [
  { id: 'name', header: messages.form.name, cell: ({ name }) => name, sort: ({ name }) => name },
  { id: 'usageCount', header: messages.list.total, cell: () => null, sort: ({ usageCount }) => usageCount },
  { id: 'lastUsedAt', header: messages.list.lastUsed, cell: () => null, sort: ({ lastUsedAt }) => lastUsedAt ?? null },
];

/** `/gateway/keys`: create, inspect, edit and delete API keys. */
export default function KeysPage() {
  const { data: fresh, previousData, loading, error, refetch } = useApiKeysQuery({ fetchPolicy: 'cache-and-network' });
  useFailureNotice({ error, loading }, messages.failure.load);
  const data = fresh ?? previousData;
  const keys = data?.apiKeys ?? [];
  const list = useList(keys, orders, textOf);
  const dialog = useDialogParam(DIALOGS);
  const chosen = keys.find(({ _id }) => _id === dialog.id);
  const [remove] = useDeleteApiKeyMutation();

  return (
    <Page title={messages.title} subtitle={messages.subtitle}>
      <CreateKeyForm />
      <header className={styles.listHeader}>
        <h2>{messages.list.title}</h2>
        {keys.length > 0 && (
          <p className={styles.summary}>
            <span>
              {messages.list.total}: <strong>{number.format(totalUsage(keys))}</strong>
            </span>
            <span>
              {messages.list.mostUsed}: <strong>{mostUsedKey(keys)?.name ?? messages.list.none}</strong>
            </span>
          </p>
        )}
      </header>
      <ListState
        ready={data !== undefined}
        loading={loading}
        failure={error ? failureText(error, messages.failure.load) : null}
        onRetry={() => void refetch().catch(() => undefined)}
      >
        {keys.length === 0 ? (
          <EmptyState
            text={messages.list.empty}
            action={
              <Button variant="outline" onClick={focusFirstField}>
                {messages.list.emptyAction}
              </Button>
            }
          />
        ) : (
          <>
            <ListToolbar list={list} label={messages.list.search} />
            {list.rows.length === 0 ? (
              <NoMatch query={list.query} onClear={() => list.setQuery('')} />
            ) : (
              <KeyList
                keys={list.rows}
                onEdit={(id) => dialog.open('editar', id)}
                onRemove={(id) => dialog.open('remover', id)}
              />
            )}
          </>
        )}
      </ListState>
      {dialog.name === 'editar' && chosen && <EditKeyDialog key={chosen._id} apiKey={chosen} onClose={dialog.close} />}
      {dialog.name === 'remover' && chosen && (
        <ConfirmDialog
          title={messages.removal.title}
          message={messages.removal.message(chosen.name)}
          confirmLabel={messages.removal.confirm}
          width={500}
          fallback={messages.failure.remove}
          onFailure={(sentence) => notify(sentence, { color: 'error' })}
          onClose={dialog.close}
          onConfirm={async () => {
            await remove({
              variables: { id: chosen._id },
              update: (cache) => {
                dialog.close();
                cache.evict({ id: cache.identify({ __typename: 'ApiKey', _id: chosen._id }) });
                cache.gc();
              },
            });
            notify(messages.success.deleted);
          }}
        />
      )}
    </Page>
  );
}
