import { Button } from '@chakra-ui/react';
import { ALL_OR_FIRST_PAGE, useDialogRow } from '../../lib/graphql/query/longLists';
import { preloadQuery, revalidateNever } from '../../lib/graphql/query/preloadQuery';
import { notify, notifyFailure } from '../../lib/notifications/notification';
import { getBrand } from '../../lib/page/brand';
import { useDialogParam } from '../../lib/routing/useDialogParam';
import { useShowRequests } from '../../lib/routing/useShowRequests';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { AddButton } from '../../ui/layout/AddButton';
import { Page, SectionHeading } from '../../ui/layout/Page';
import { WritersOnly } from '../../ui/layout/WritersOnly';
import { ListQueryView } from '../../ui/list/ListQueryView';
import { EditAction, RemoveAction, RowAction } from '../../ui/list/rows/RowAction';
import { ActiveFilter } from '../../ui/list/toolbar/ActiveFilter';
import type { Route } from './+types/KeysPage';
import { CreateKeyForm } from './form/CreateKeyForm';
import { keysMessages as messages } from './gateway-keys.messages';
import {
  ApiKeyDocument,
  type ApiKeyQuery,
  type ApiKeyRowFragment,
  ApiKeysDocument,
  useKeyActivityQuery,
  useUpdateApiKeyMutation,
} from './generated/gateway-keys';
import { KEY_DIALOGS, type KeyDialog, KeyDialogs } from './KeyDialogs';
import { KeyList } from './list/KeyList';
import { UsageSummary } from './list/UsageSummary';
import { useKeys } from './useKeys';

export const meta = () => [{ title: `${messages.title} · ${getBrand()}` }];

export const clientLoader = () => preloadQuery(ApiKeysDocument, { variables: ALL_OR_FIRST_PAGE });

export const shouldRevalidate = revalidateNever;

const selectRow = ({ apiKey }: ApiKeyQuery) => apiKey;

interface KeyActionsProps {
  apiKey: ApiKeyRowFragment;
  onOpen: (dialog: KeyDialog, id: string) => void;
  onEnable: () => void;
}

function KeyActions({ apiKey: { _id, name, disabled }, onOpen, onEnable }: KeyActionsProps) {
  const showRequests = useShowRequests();
  return (
    <>
      <RowAction label={messages.list.showRequests} icon="scroll" onClick={() => showRequests('chave', _id, name)} />
      <EditAction onClick={() => onOpen('editar', _id)} />
      {disabled ? (
        <RowAction label={messages.list.enable} icon="power" onClick={onEnable} />
      ) : (
        <RowAction label={messages.list.disable} icon="power" onClick={() => onOpen('desativar', _id)} />
      )}
      <RowAction label={messages.list.rotate} icon="refresh" onClick={() => onOpen('girar', _id)} />
      <RemoveAction label={messages.list.remove} onClick={() => onOpen('remover', _id)} />
    </>
  );
}

/** `/gateway/keys`: create, inspect, edit and delete API keys. */
export default function KeysPage({ loaderData }: Route.ComponentProps) {
  const dialog = useDialogParam(KEY_DIALOGS);
  const { keys, view, showAll } = useKeys(loaderData);
  const selected = useDialogRow(keys, dialog.id, ApiKeyDocument, selectRow);
  // This query is separate, so that the list neither waits for it nor fails with it.
  const { data: activity } = useKeyActivityQuery();
  const traffic = activity && new Map(activity.keyActivity.keys.map(({ keyId, requests }) => [keyId, requests]));
  // Once a key exists, the form of a new key is hidden until it is opened.
  const hasNoKeys = keys.state.isReady && keys.list.total === 0;
  const isFormShown = hasNoKeys || dialog.name === 'nova';
  const [update] = useUpdateApiKeyMutation();
  const setDisabled = async ({ _id }: ApiKeyRowFragment, disabled: boolean) => {
    await update({ variables: { id: _id, input: { disabled } } });
    notify(disabled ? messages.success.disabled : messages.success.enabled);
  };

  return (
    <Page
      title={messages.title}
      subtitle={messages.subtitle}
      action={isFormShown ? undefined : <AddButton label={messages.add} onClick={() => dialog.open('nova')} />}
    >
      {isFormShown && (
        <WritersOnly>
          <CreateKeyForm isClosable={!hasNoKeys} onClose={dialog.close} />
        </WritersOnly>
      )}
      <SectionHeading title={messages.list.title} />
      {keys.list.total > 0 && <UsageSummary keys={keys.loadedRows} isPaged={keys.isPaged} />}
      {view.kind === 'callers' && (
        <ActiveFilter text={messages.list.callers(view.permission)} label={messages.list.allKeys} onClear={showAll} />
      )}
      <ListQueryView query={keys} texts={messages.list}>
        {view.kind === 'noCallers' ? (
          <EmptyState
            text={messages.list.noCallers(view.permission)}
            action={
              <Button variant="outline" onClick={showAll}>
                {messages.list.allKeys}
              </Button>
            }
          />
        ) : (
          <KeyList
            keys={view.rows}
            total={view.total}
            traffic={traffic}
            actions={(key) => (
              <KeyActions
                apiKey={key}
                onOpen={dialog.open}
                onEnable={() => void setDisabled(key, false).catch(notifyFailure(messages.failure.update))}
              />
            )}
          />
        )}
      </ListQueryView>
      <KeyDialogs dialog={dialog} apiKey={selected} onDisable={(key) => setDisabled(key, true)} />
    </Page>
  );
}
