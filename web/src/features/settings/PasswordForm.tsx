import { Form, SubmitButton } from '../../ui/Form';
import { TextField } from '../../ui/fields';
import { notify } from '../../ui/notification';
import { endSession } from '../../ui/session';
import { uiMessages } from '../../ui/ui.messages';
import { useDraft } from '../../ui/useDraft';
import { type FieldErrors, useSubmit } from '../../ui/useSubmit';
import { useChangePasswordMutation } from './generated/settings';
import { settingsMessages } from './settings.messages';
import styles from './settings.module.css';

const { password: messages, failure, success } = settingsMessages;
const EMPTY = { currentPassword: '', newPassword: '', again: '' };
const SHORTEST = 10;

function check({ currentPassword, newPassword, again }: typeof EMPTY): FieldErrors {
  const found: FieldErrors = {};
  if (!currentPassword) found.currentPassword = uiMessages.required;
  if (newPassword.length < SHORTEST) found.newPassword = messages.tooShort;
  else if (again !== newPassword) found.again = messages.different;
  return found;
}

/** Changes one's own password. The token stops working with the old one, so a new login follows. */
export function PasswordForm() {
  const { values, change, settle } = useDraft(null, EMPTY, 'page');
  const [changePassword] = useChangePasswordMutation();
  const {
    submit,
    pending,
    errors,
    failure: failed,
  } = useSubmit({
    fallback: failure.password,
    check: () => check(values),
    send: async () => {
      const { currentPassword, newPassword } = values;
      await changePassword({ variables: { currentPassword, newPassword } });
      settle(EMPTY);
      notify(success.password);
      endSession();
    },
  });
  const field = (name: keyof typeof EMPTY, label: string) => ({
    type: 'password',
    label,
    value: values[name],
    error: errors[name],
    onChange: (text: string) => change({ [name]: text }),
    required: true,
  });

  return (
    <Form className={styles.form} onSubmit={submit} errors={errors} failure={failed}>
      <TextField {...field('currentPassword', messages.current)} autoComplete="current-password" />
      <TextField {...field('newPassword', messages.next)} hint={messages.nextHint} autoComplete="new-password" />
      <TextField {...field('again', messages.again)} autoComplete="new-password" />
      <div className={styles.buttons}>
        <SubmitButton pending={pending}>{messages.submit}</SubmitButton>
      </div>
    </Form>
  );
}
