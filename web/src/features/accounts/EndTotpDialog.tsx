import { notify } from '../../lib/notification';
import { FormDialog } from '../../ui/dialog/FormDialog';
import { CODE_INPUT, TextField } from '../../ui/form/textFields';
import { useForm } from '../../ui/form/useForm';
import type { FieldErrors } from '../../ui/form/useSubmit';
import { accountsMessages } from './accounts.messages';
import { AdminsDocument, useEndTotpMutation } from './generated/accounts';

const { totp: messages, failure, success } = accountsMessages;

/** Switches the own second factor off, which takes a valid code. */
export function EndTotpDialog({ onClose }: { onClose: () => void }) {
  const [end] = useEndTotpMutation({ refetchQueries: [AdminsDocument] });
  const form = useForm({
    draft: null,
    initial: { code: '' },
    check: ({ code }): FieldErrors => (code.trim() ? {} : { code: messages.codeRequired }),
    fallback: failure.totp,
    send: ({ code }) => end({ variables: { code: code.trim() } }),
    onSaved: () => {
      onClose();
      notify(success.totpOff);
    },
  });
  return (
    <FormDialog title={messages.endTitle} width={500} submitLabel={messages.endConfirm} form={form} onClose={onClose}>
      <TextField
        label={messages.code}
        {...form.text('code')}
        {...CODE_INPUT}
        hint={messages.codeOrRecovery}
        autoComplete="one-time-code"
        required
      />
    </FormDialog>
  );
}
