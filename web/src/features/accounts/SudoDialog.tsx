import { nonEmpty, object, pipe, string } from 'valibot';
import { isCodeRequired } from '../../lib/userError';
import { FormDialog } from '../../ui/dialog/FormDialog';
import { TextField } from '../../ui/form/fields/textFields';
import { useAppForm } from '../../ui/form/state/useAppForm';
import { useCodeStep } from '../../ui/form/useCodeStep';
import { uiMessages } from '../../ui/ui.messages';
import { accountsMessages } from './accounts.messages';
import { useConfirmPasswordMutation } from './generated/accounts';
import { CodeField } from './totp/CodeField';

const { sudo: messages, failure } = accountsMessages;
const schema = object({ password: pipe(string(), nonEmpty(uiMessages.required)), code: string() });

/** Asks for the password again, and for a code if the account has a second factor. */
export default function SudoDialog({ onConfirmed, onClose }: { onConfirmed: () => void; onClose: () => void }) {
  const [confirm] = useConfirmPasswordMutation({ fetchPolicy: 'no-cache' });
  const { asksCode, sendWithCode } = useCodeStep(isCodeRequired);
  const form = useAppForm({
    initial: { password: '', code: '' },
    schema,
    scope: null,
    failureMessage: failure.sudo,
    send: ({ password, code }) => sendWithCode(() => confirm({ variables: { password, code } })),
    onSaved: onConfirmed,
  });
  const password = form.text('password', messages);
  const hasOuterSpace = password.error && /^\s|\s$/.test(form.watch('password'));
  return (
    <FormDialog
      allowViewers
      title={messages.title}
      description={messages.text}
      submitLabel={messages.submit}
      form={form}
      onClose={onClose}
    >
      <TextField
        type="password"
        {...password}
        hint={hasOuterSpace ? uiMessages.hasOuterSpace : undefined}
        autoComplete="current-password"
        required
      />
      {/* The field takes the focus when the second step begins. */}
      {asksCode && <CodeField form={form} texts={messages} autoFocus />}
    </FormDialog>
  );
}
