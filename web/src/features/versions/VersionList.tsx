import { notifyVersion } from '../../lib/notifications/notifySaved';
import { useRemoval } from '../../lib/notifications/useRemoval';
import { useDialogParam } from '../../lib/routing/useDialogParam';
import type { useListQuery } from '../../shared/list/useListQuery';
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog';
import { lazyDialog } from '../../ui/dialog/lazyDialog';
import { WritersOnly } from '../../ui/layout/WritersOnly';
import { ListSection } from '../../ui/list/ListQueryView';
import { RemoveAction, RowAction } from '../../ui/list/rows/RowAction';
import { type SiteVersionsQuery, useActivateVersionMutation, useDeleteVersionMutation } from './generated/versions';
import type { Version } from './versionColumns';
import { versionsMessages as messages } from './versions.messages';

const DIALOGS = ['ativar', 'mudancas', 'previa', 'remover'] as const;
const ChangesDialog = lazyDialog(() => import('./ChangesDialog'));
const PreviewDialog = lazyDialog(() => import('./PreviewDialog'));

const getVersionName = ({ number }: Version) => messages.list.name(number);

interface VersionListProps {
  versions: ReturnType<typeof useListQuery<SiteVersionsQuery, Version>>;
  /** Host of the site, or a text such as `O projeto CRM`. */
  subject: string;
  onActivated: () => void;
  /** Returns the question of the dialog that confirms the activation of a version. */
  getQuestion: (number: number) => string;
}

interface VersionActionsProps {
  version: Version;
  current: Version | undefined;
  onOpen: (dialog: (typeof DIALOGS)[number], id: string) => void;
}

/** The actions of a version. The current version can be neither activated nor removed. */
function VersionActions({ version: { _id, number, state, ...version }, current, onOpen }: VersionActionsProps) {
  const isOlder = current !== undefined && number < current.number;
  const { list } = messages;
  return (
    <>
      {state === 'ready' && !version.current && (
        <RowAction
          label={isOlder ? list.goBack : list.activate}
          icon={isOlder ? 'undo' : 'power'}
          onClick={() => onOpen('ativar', _id)}
        />
      )}
      {state === 'ready' && (
        <>
          <RowAction allowViewers label={list.changes} icon="diff" isIconOnly onClick={() => onOpen('mudancas', _id)} />
          <RowAction label={list.preview} icon="eye" isIconOnly onClick={() => onOpen('previa', _id)} />
        </>
      )}
      {!version.current && <RemoveAction onClick={() => onOpen('remover', _id)} />}
    </>
  );
}

/** The versions of a site. Each ready version except the current one has a button that activates it. */
export function VersionList({ versions, subject, onActivated, getQuestion }: VersionListProps) {
  const dialog = useDialogParam(DIALOGS);
  // A cached response would make two versions current until the list is refetched.
  const [activate] = useActivateVersionMutation({ fetchPolicy: 'no-cache' });
  const [deleteVersion] = useDeleteVersionMutation();
  const { loadedRows } = versions;
  const selected = loadedRows.find(({ _id }) => _id === dialog.id);
  const current = loadedRows.find((version) => version.current);
  const getRemovalProps = useRemoval<Version>({
    title: messages.removal.title,
    message: ({ number }) => messages.removal.message(number),
    send: ({ _id }) => deleteVersion({ variables: { id: _id } }),
    refetch: versions.refetch,
    onClose: dialog.close,
    success: messages.success.removed,
    failureMessage: messages.failure.remove,
  });
  const activateVersion = async ({ _id, number }: Version) => {
    const { data } = await activate({ variables: { id: _id } });
    await versions.refetch();
    onActivated();
    dialog.close();
    void notifyVersion(messages.activation.success(number), subject, data?.activateVersion.live ?? null);
  };
  return (
    <>
      <ListSection
        query={versions}
        texts={messages.list}
        actionsWidth="384px"
        actionCount={4}
        getRowName={getVersionName}
        actions={(version) => <VersionActions version={version} current={current} onOpen={dialog.open} />}
      />
      {dialog.name === 'mudancas' && selected && <ChangesDialog version={selected} onClose={dialog.close} />}
      <WritersOnly>
        {dialog.name === 'previa' && selected && <PreviewDialog version={selected} onClose={dialog.close} />}
        {dialog.name === 'remover' && selected && <ConfirmDialog {...getRemovalProps(selected)} />}
        {dialog.name === 'ativar' && selected && (
          <ConfirmDialog
            title={messages.activation.title}
            message={getQuestion(selected.number)}
            confirmLabel={messages.activation.confirm}
            isDanger={false}
            failureMessage={messages.activation.failure}
            onConfirm={() => activateVersion(selected)}
            onClose={dialog.close}
          />
        )}
      </WritersOnly>
    </>
  );
}
