import { readFresh } from '../../../lib/graphql/client/client';
import { FormDialog } from '../../../ui/dialog/FormDialog';
import { useAppForm } from '../../../ui/form/state/useAppForm';
import { keysMessages as messages } from '../gateway-keys.messages';
import { ApiKeyDocument, type ApiKeyRowFragment, useUpdateApiKeyMutation } from '../generated/gateway-keys';
import { KeyFields } from './KeyFields';
import { keySchema, toKeyInput, toKeyValues } from './keyForm';

const { form: fields } = messages;

/** Edits every field of a key except its secret. */
export function EditKeyDialog({ apiKey, onClose }: { apiKey: ApiKeyRowFragment; onClose: () => void }) {
  const [update] = useUpdateApiKeyMutation();
  const form = useAppForm({
    draft: `gateway-keys:${apiKey._id}`,
    initial: toKeyValues(apiKey),
    schema: keySchema,
    failureMessage: messages.failure.update,
    isFailureNotified: true,
    send: (values, version) => update({ variables: { id: apiKey._id, input: toKeyInput(values), version } }),
    editedEntity: {
      row: apiKey,
      read: async () => (await readFresh(ApiKeyDocument, { id: apiKey._id }))?.apiKey,
      toValues: toKeyValues,
      labels: fields,
      format: (field, value) => (field === 'rateSeconds' ? fields.window(Number(value)) : undefined),
    },
    onSaved: onClose,
    success: messages.success.updated,
  });
  return (
    <FormDialog title={messages.editTitle} width={600} form={form} onClose={onClose}>
      <KeyFields form={form} currentPermissions={apiKey.permissions} />
    </FormDialog>
  );
}
