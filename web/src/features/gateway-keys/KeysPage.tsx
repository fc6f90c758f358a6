import { Button, chakra, Flex } from '@chakra-ui/react';
import { useMemo } from 'react';
import { useLoaderData } from 'react-router';
import type { ApiKeySort, ApiKeyStatus } from '../../generated/graph';
import { brand } from '../../lib/brand';
import { notify, notifyFailure } from '../../lib/notification';
import { covers } from '../../lib/permissions';
import { onlyOnEntry, preloadQuery } from '../../lib/preloadQuery';
import { useDialogParam } from '../../lib/useDialogParam';
import { useChosenRow, wholeList } from '../../lib/usePages';
import { usePreloadedQuery } from '../../lib/usePreloadedQuery';
import { useRemoval } from '../../lib/useRemoval';
import { useSearchParamsState } from '../../lib/useSearchParamsState';
import { useShowRequests } from '../../lib/useShowRequests';
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { focusFirstField } from '../../ui/form/Form';
import { AddButton } from '../../ui/layout/AddButton';
import { Page, SectionHeading } from '../../ui/layout/Page';
import { WriteOnly } from '../../ui/layout/WriteOnly';
import { ActiveFilter } from '../../ui/list/ActiveFilter';
import type { Column } from '../../ui/list/column';
import { ListQueryView } from '../../ui/list/ListQueryView';
import type { ListFilter } from '../../ui/list/useList';
import { type ListRequest, orderOf, useLongListQuery } from '../../ui/list/useLongListQuery';
import { CreateKeyForm } from './CreateKeyForm';
import { EditKeyDialog } from './EditKeyDialog';
import { keysMessages as messages } from './gateway-keys.messages';
import {
  ApiKeyDocument,
  type ApiKeyQuery,
  type ApiKeyRowFragment,
  ApiKeysDocument,
  type ApiKeysQuery,
  useApiKeySummaryQuery,
  useDeleteApiKeyMutation,
  useKeyActivityQuery,
  useUpdateApiKeyMutation,
} from './generated/gateway-keys';
import { KeyList } from './KeyList';
import { keyStatus } from './keyStatus';
import { RotateKeyDialog } from './RotateKeyDialog';
import { mostUsedKey, totalUsage } from './usage';

export const meta = () => [{ title: `${messages.title} · ${brand()}` }];

export const clientLoader = () => preloadQuery(ApiKeysDocument, { variables: wholeList });

export const shouldRevalidate = onlyOnEntry;

/** `nova` is the form of a new key, which is folded once a key exists. */
const DIALOGS = ['nova', 'editar', 'desativar', 'girar', 'remover'] as const;
const number = new Intl.NumberFormat('pt-BR');
const rowsOf = ({ apiKeyPage }: ApiKeysQuery) => apiKeyPage.apiKeys;
const totalOf = ({ apiKeyPage }: ApiKeysQuery) => apiKeyPage.total;
const rowOf = ({ apiKey }: ApiKeyQuery) => apiKey;
const SORTS = ['name', 'usageCount', 'lastUsedAt'] as const satisfies ApiKeySort[];
const STATUSES = ['active', 'expiring', 'expired', 'disabled', 'rotating'] as const satisfies ApiKeyStatus[];
/** The newest first, unless a column is chosen. */
const variablesOf = (request: ListRequest) => ({
  search: request.search,
  status: STATUSES.find((one) => one === request.filter),
  sortBy: SORTS.find((column) => column === request.sort?.column),
  order: request.sort ? orderOf(request) : undefined,
});
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

const Sum = ({ label, value }: { label: string; value: string }) => (
  <span>
    {label}:{' '}
    <chakra.strong color="fg" fontWeight="semibold" fontVariantNumeric="tabular-nums">
      {value}
    </chakra.strong>
  </span>
);

/** `/gateway/keys`: create, inspect, edit and delete API keys. */
export default function KeysPage() {
  const { params, update: updateAddress } = useSearchParamsState();
  const permission = params.get('permissao');
  const dialog = useDialogParam(DIALOGS);
  const keys = useLongListQuery(usePreloadedQuery(useLoaderData<typeof clientLoader>()), {
    document: ApiKeysDocument,
    rowsOf,
    totalOf,
    variablesOf: (request: ListRequest) => ({ ...variablesOf(request), permission }),
    columns,
    textOf,
    filter,
    fallback: messages.failure.load,
    isNotified: true,
  });
  const { data: summed } = useApiKeySummaryQuery({ skip: !keys.isLong });
  const summary = summed?.apiKeySummary;
  const callers = permission === null ? null : keys.list.rows.filter((key) => covers(key.permissions, permission));
  const shown = callers && callers.length > 0 ? { ...keys, list: { ...keys.list, rows: callers } } : keys;
  const showAll = () => updateAddress({ permissao: null });
  const showRequests = useShowRequests();
  // This query is separate, so that the list neither waits for it nor fails with it.
  const { data: activity } = useKeyActivityQuery({ fetchPolicy: 'no-cache' });
  const traffic = useMemo(
    () => activity && new Map(activity.keyActivity.keys.map(({ keyId, requests }) => [keyId, requests])),
    [activity],
  );
  const isFirst = keys.state.ready && keys.all.length === 0;
  const hasForm = isFirst || dialog.name === 'nova';
  const selected = useChosenRow(keys, dialog.id, ApiKeyDocument, rowOf);
  const [deleteKey] = useDeleteApiKeyMutation();
  const [update] = useUpdateApiKeyMutation();
  const setDisabled = async ({ _id }: ApiKeyRowFragment, disabled: boolean) => {
    await update({ variables: { id: _id, input: { disabled } } });
    notify(disabled ? success.disabled : success.enabled);
  };
  const removal = useRemoval<ApiKeyRowFragment>({
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
    <Page
      title={messages.title}
      subtitle={messages.subtitle}
      action={hasForm ? undefined : <AddButton label={messages.add} onClick={() => dialog.open('nova')} />}
    >
      {hasForm && (
        <WriteOnly>
          <CreateKeyForm isFoldable={!isFirst} onClose={dialog.close} />
        </WriteOnly>
      )}
      <SectionHeading title={messages.list.title} />
      {keys.all.length > 0 && (
        <Flex as="p" wrap="wrap" rowGap="1" columnGap="6" mb="4" color="fg.muted">
          <Sum label={messages.list.total} value={number.format(summary?.usageCount ?? totalUsage(keys.all))} />
          <Sum
            label={messages.list.mostUsed}
            value={(summary ? summary.mostUsed : mostUsedKey(keys.all))?.name ?? messages.list.none}
          />
        </Flex>
      )}
      {permission !== null && callers !== null && callers.length > 0 && (
        <ActiveFilter text={messages.list.callers(permission)} clear={messages.list.allKeys} onClear={showAll} />
      )}
      <ListQueryView
        query={shown}
        label={messages.list.title}
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
            total={keys.isLong ? keys.list.found : shown.list.rows.length}
            traffic={traffic}
            actions={{
              onShowRequests: ({ _id, name }) => showRequests('chave', _id, name),
              onEdit: ({ _id }) => dialog.open('editar', _id),
              onDisable: ({ _id }) => dialog.open('desativar', _id),
              onEnable: (key) => void setDisabled(key, false).catch(notifyFailure(failure.update)),
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
