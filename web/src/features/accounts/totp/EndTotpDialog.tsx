import { object, string } from 'valibot';
import { getErrorFields } from '../../../lib/userError';
import { FormDialog } from '../../../ui/dialog/FormDialog';
import { useAppForm } from '../../../ui/form/state/useAppForm';
import { useCodeStep } from '../../../ui/form/useCodeStep';
import { accountsMessages } from '../accounts.messages';
import { OwnAccountDocument, useEndTotpMutation } from '../generated/accounts';
import { CodeField } from './CodeField';

const { totp: messages, failure, success } = accountsMessages;
const schema = object({ code: string() });

/**
 * Switches off the second factor of the logged-in account. `SudoDialog` asks for password and code. If the session
 * confirmed its password before the second factor was set up, this dialog asks for the code.
 */
export function EndTotpDialog({ onClose }: { onClose: () => void }) {
  const [end] = useEndTotpMutation({ refetchQueries: [OwnAccountDocument] });
  const { asksCode, sendWithCode } = useCodeStep((error) => getErrorFields(error).code !== undefined);
  const form = useAppForm({
    initial: { code: '' },
    schema,
    failureMessage: failure.totp,
    send: ({ code }) => sendWithCode(() => end({ variables: { code } })),
    onSaved: onClose,
    success: success.totpOff,
  });
  return (
    <FormDialog
      allowViewers
      title={messages.endTitle}
      description={messages.endText}
      submitLabel={messages.endConfirm}
      form={form}
      onClose={onClose}
    >
      {/* The field takes the focus when the second step begins. */}
      {asksCode && <CodeField form={form} texts={messages} hint={messages.codeOrRecovery} autoFocus />}
    </FormDialog>
  );
}
