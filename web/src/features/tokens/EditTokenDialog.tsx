import { formatDateTime } from '../../ui/cells/RelativeTime';
import { FormDialog } from '../../ui/dialog/FormDialog';
import { useAppForm } from '../../ui/form/state/useAppForm';
import { useUpdateTokenMutation } from './generated/tokens';
import { TokenFields } from './TokenFields';
import type { Token } from './tokenColumns';
import { getExpiry, KEEP_EXPIRY, tokenSchema, toTokenInput, toTokenValues } from './tokenForm';
import { tokensMessages } from './tokens.messages';

const { edit: messages, form: fieldMessages, success, failure } = tokensMessages;

export function EditTokenDialog({ token, onClose }: { token: Token; onClose: () => void }) {
  const [update] = useUpdateTokenMutation();
  const form = useAppForm({
    initial: toTokenValues(token),
    schema: tokenSchema,
    failureMessage: failure.update,
    send: (values) => {
      const expiry = values.days === KEEP_EXPIRY ? {} : { expiresAt: getExpiry(values.days) };
      return update({
        variables: { id: token._id, input: { ...toTokenInput(values), ...expiry }, version: token.version },
      });
    },
    onSaved: onClose,
    success: success.updated,
  });
  const lifetimeOptions = [
    { value: KEEP_EXPIRY, label: messages.sameExpiry(token.expiresAt && formatDateTime(token.expiresAt)) },
    ...Object.entries(fieldMessages.lifetimes).map(([value, label]) => ({ value, label: messages.fromNow(label) })),
  ];
  return (
    <FormDialog allowViewers title={messages.title(token.name)} width={640} form={form} onClose={onClose}>
      <TokenFields form={form} lifetimeOptions={lifetimeOptions} />
    </FormDialog>
  );
}
