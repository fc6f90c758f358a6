import { object, string } from 'valibot';
import { notify } from '../../lib/notifications/notification';
import { FormDialog } from '../../ui/dialog/FormDialog';
import { SecretDialog } from '../../ui/dialog/SecretDialog';
import { RadioField } from '../../ui/form/fields/RadioField';
import { useAppForm } from '../../ui/form/state/useAppForm';
import { keysMessages } from './gateway-keys.messages';
import { type ApiKeyRowFragment, ApiKeysDocument, useRotateApiKeyMutation } from './generated/gateway-keys';
import { useShowKey } from './useShowKey';

const { rotation: messages, success, failure } = keysMessages;

const DAY_S = String(24 * 3600);
const schema = object({ graceSeconds: string() });

/** Rotates a key's secret; the previous secret stays valid for the chosen time. */
export function RotateKeyDialog({ apiKey, onClose }: { apiKey: ApiKeyRowFragment; onClose: () => void }) {
  const showKey = useShowKey(messages.rotated);
  // The response is neither cached nor kept in the hook (`reset`), because it contains the key.
  const [rotate, { reset }] = useRotateApiKeyMutation({ fetchPolicy: 'no-cache', refetchQueries: [ApiKeysDocument] });
  const form = useAppForm({
    initial: { graceSeconds: DAY_S },
    schema,
    failureMessage: failure.rotate,
    isFailureNotified: true,
    send: async ({ graceSeconds }) => {
      await SecretDialog.preload();
      const { data } = await rotate({ variables: { id: apiKey._id, graceSeconds: Number(graceSeconds) } });
      reset();
      return data?.rotateApiKey;
    },
    onSaved: (rotatedKey) => {
      onClose();
      notify(success.rotated);
      if (rotatedKey) showKey(rotatedKey);
    },
  });
  return (
    <FormDialog title={messages.title} width={560} submitLabel={messages.submit} form={form} onClose={onClose}>
      <p>{messages.explanation(apiKey.name)}</p>
      <RadioField {...form.choice('graceSeconds', messages)} options={messages.overlaps} />
    </FormDialog>
  );
}
