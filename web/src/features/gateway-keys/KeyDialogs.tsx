import { useRemoval } from '../../lib/notifications/useRemoval';
import type { DialogParam } from '../../lib/routing/useDialogParam';
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog';
import { EditKeyDialog } from './form/EditKeyDialog';
import { keysMessages as messages } from './gateway-keys.messages';
import { type ApiKeyRowFragment, useDeleteApiKeyMutation } from './generated/gateway-keys';
import { RotateKeyDialog } from './RotateKeyDialog';

/** `nova` is the form of a new key, which `KeysPage` shows. */
export const KEY_DIALOGS = ['nova', 'editar', 'desativar', 'girar', 'remover'] as const;
export type KeyDialog = (typeof KEY_DIALOGS)[number];

interface KeyDialogsProps {
  dialog: DialogParam<KeyDialog>;
  /** The key of the dialog; undefined until the key is read. */
  apiKey: ApiKeyRowFragment | undefined;
  onDisable: (key: ApiKeyRowFragment) => Promise<void>;
}

/** Shows the dialog that `useDialogParam` has opened for a key. */
export function KeyDialogs({ dialog: { name, close }, apiKey, onDisable }: KeyDialogsProps) {
  const [deleteKey] = useDeleteApiKeyMutation();
  const getRemovalProps = useRemoval<ApiKeyRowFragment>({
    message: (key) => messages.removal.message(key.name),
    confirmLabel: messages.removal.confirm,
    send: ({ _id }) => deleteKey({ variables: { id: _id } }),
    entity: ({ _id }) => ({ __typename: 'ApiKey', _id }),
    onClose: close,
    success: messages.success.removed,
    failureMessage: messages.failure.remove,
    isFailureNotified: true,
  });

  if (!apiKey) return null;

  switch (name) {
    case 'editar':
      return <EditKeyDialog key={apiKey._id} apiKey={apiKey} onClose={close} />;
    case 'girar':
      return <RotateKeyDialog key={apiKey._id} apiKey={apiKey} onClose={close} />;
    case 'desativar':
      return (
        <ConfirmDialog
          title={messages.disabling.title}
          message={messages.disabling.message(apiKey.name)}
          confirmLabel={messages.disabling.confirm}
          width={500}
          failureMessage={messages.failure.update}
          onClose={close}
          onConfirm={async () => {
            await onDisable(apiKey);
            close();
          }}
        />
      );
    case 'remover':
      return <ConfirmDialog {...getRemovalProps(apiKey)} width={500} />;
    default:
      return null;
  }
}
