import { notify } from '../../../lib/notifications/notification';
import { getAccount, startSession } from '../../../lib/session/session';
import { Form, SubmitButton } from '../../../ui/form/Form';
import { TextField } from '../../../ui/form/fields/textFields';
import { useAppForm } from '../../../ui/form/state/useAppForm';
import { accountsMessages } from '../accounts.messages';
import { useChangePasswordMutation } from '../generated/accounts';
import { NewPasswordFields } from './NewPasswordFields';
import { passwordChangeSchema } from './passwordSchemas';

const { password: messages, failure, success } = accountsMessages;
const EMPTY = { currentPassword: '', newPassword: '', again: '' };

/** Changes the password of the logged-in account. Its other sessions end, and this session gets a new token. */
export function PasswordForm() {
  const [changePassword] = useChangePasswordMutation({ fetchPolicy: 'no-cache' });
  const form = useAppForm({
    initial: EMPTY,
    schema: passwordChangeSchema,
    scope: 'page',
    failureMessage: failure.password,
    send: ({ currentPassword, newPassword }) => changePassword({ variables: { currentPassword, newPassword } }),
    onSaved: ({ data }) => {
      form.reset(EMPTY);
      if (data) startSession(data.changePasswordAndKeepSession.token, getAccount());
      notify(success.password);
    },
  });
  return (
    <Form maxW="480px" form={form}>
      <TextField type="password" {...form.text('currentPassword', messages)} autoComplete="current-password" required />
      <NewPasswordFields form={form} />
      <div>
        <SubmitButton isPending={form.isPending}>{messages.submit}</SubmitButton>
      </div>
    </Form>
  );
}
