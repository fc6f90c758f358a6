import { notify, notifyError } from '../../lib/notification';
import { useFreshRow } from '../../lib/useFreshRow';
import { FormDialog } from '../../ui/dialog/FormDialog';
import { useDraftForm } from '../../ui/form/useDraftForm';
import { keysMessages as messages } from './gateway-keys.messages';
import {
  ApiKeyDocument,
  type ApiKeyQuery,
  type ApiKeyRowFragment,
  useUpdateApiKeyMutation,
} from './generated/gateway-keys';
import { KeyFields } from './KeyFields';
import { keyInput, keySchema, keyValues } from './keyForm';

const { form: fields } = messages;
const NAMES = {
  name: fields.name,
  permissions: fields.permissions,
  allowedIps: fields.allowedIps,
  expiresAt: fields.expiresAt,
  rateLimit: fields.rateLimit,
  rateSeconds: fields.rateSeconds,
  note: fields.note,
  disabled: fields.disabled,
};
const rowOf = ({ apiKey }: ApiKeyQuery) => apiKey;

/** Everything of a key but its secret. */
export function EditKeyDialog({ apiKey, onClose }: { apiKey: ApiKeyRowFragment; onClose: () => void }) {
  const [update] = useUpdateApiKeyMutation();
  const readKey = useFreshRow(ApiKeyDocument, rowOf);
  const form = useDraftForm({
    draft: `gateway-keys:${apiKey._id}`,
    initial: keyValues(apiKey),
    schema: keySchema,
    edited: {
      version: apiKey.version,
      read: async () => {
        const row = await readKey(apiKey._id);
        return row && { version: row.version, values: keyValues(row) };
      },
      names: NAMES,
      format: (field, value) => (field === 'rateSeconds' ? fields.window(Number(value)) : undefined),
    },
    fallback: messages.failure.update,
    onFailure: notifyError,
    send: (values, version) => update({ variables: { id: apiKey._id, input: keyInput(values), version } }),
    onSaved: () => {
      onClose();
      notify(messages.success.updated);
    },
  });
  return (
    <FormDialog
      title={messages.edit.title}
      width={600}
      submitLabel={messages.edit.submit}
      form={form}
      onClose={onClose}
    >
      <KeyFields form={form} held={apiKey.permissions} />
    </FormDialog>
  );
}
