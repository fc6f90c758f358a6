import { FormDialog } from '../../ui/FormDialog';
import { notify } from '../../ui/notification';
import { useDraft } from '../../ui/useDraft';
import { useSubmit } from '../../ui/useSubmit';
import { keysMessages as messages } from './gateway-keys.messages';
import { type ApiKeyRowFragment, useUpdateApiKeyMutation } from './generated/gateway-keys';
import { KeyFields } from './KeyFields';
import { checkKey, keyInput, keyValues } from './keyForm';

/** Name, permissions and addresses of a key; the key itself never changes. */
export function EditKeyDialog({ apiKey, onClose }: { apiKey: ApiKeyRowFragment; onClose: () => void }) {
  const { values, change, settle } = useDraft(`gateway-keys:${apiKey._id}`, keyValues(apiKey));
  const [update] = useUpdateApiKeyMutation();
  const form = useSubmit({
    fallback: messages.failure.update,
    check: () => checkKey(values),
    onFailure: (sentence) => notify(sentence, { color: 'error' }),
    send: async () => {
      await update({ variables: { id: apiKey._id, input: keyInput(values) } });
      settle();
      onClose();
      notify(messages.success.updated);
    },
  });
  return (
    <FormDialog
      title={messages.edit.title}
      width={600}
      submitLabel={messages.edit.submit}
      onSubmit={form.submit}
      onClose={onClose}
      {...form}
    >
      <KeyFields values={values} errors={form.errors} onChange={change} kept={apiKey.permissions} />
    </FormDialog>
  );
}
