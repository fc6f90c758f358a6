import { notify } from '../../lib/notification';
import { endSession } from '../../lib/session';
import { Form, SubmitButton } from '../../ui/form/Form';
import { TextField } from '../../ui/form/textFields';
import { useForm } from '../../ui/form/useForm';
import { uiMessages } from '../../ui/ui.messages';
import { accountsMessages } from './accounts.messages';
import styles from './accounts.module.css';
import { useChangePasswordMutation } from './generated/accounts';
import { checkNewPassword } from './passwordFields';

const { password: messages, failure, success } = accountsMessages;
const EMPTY = { currentPassword: '', newPassword: '', again: '' };

/** Changes one's own password. The token stops working with the old one, so a new login follows. */
export function PasswordForm() {
  const [changePassword] = useChangePasswordMutation();
  const form = useForm({
    draft: null,
    initial: EMPTY,
    scope: 'page',
    check: (values) => ({
      ...(values.currentPassword ? {} : { currentPassword: uiMessages.required }),
      ...checkNewPassword(values),
    }),
    fallback: failure.password,
    send: ({ currentPassword, newPassword }) => changePassword({ variables: { currentPassword, newPassword } }),
    resetsWhenSaved: true,
    onSaved: () => {
      notify(success.password);
      endSession();
    },
  });
  const field = (name: keyof typeof EMPTY, label: string) => ({
    type: 'password',
    label,
    ...form.text(name),
    required: true,
  });

  return (
    <Form className={styles.form} onSubmit={form.submit} errors={form.errors} failure={form.failure}>
      <TextField {...field('currentPassword', messages.current)} autoComplete="current-password" />
      <TextField {...field('newPassword', messages.next)} hint={messages.nextHint} autoComplete="new-password" />
      <TextField {...field('again', messages.again)} autoComplete="new-password" />
      <div>
        <SubmitButton pending={form.pending}>{messages.submit}</SubmitButton>
      </div>
    </Form>
  );
}
