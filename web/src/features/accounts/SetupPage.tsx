import { useState } from 'react';
import { useNavigate } from 'react-router';
import { paths } from '../../app/paths';
import { brand } from '../../lib/brand';
import { useClientLoader } from '../../lib/clientLoader';
import { notify } from '../../lib/notification';
import { Alert } from '../../ui/feedback/Alert';
import { Form, SubmitButton } from '../../ui/form/Form';
import { TextField } from '../../ui/form/textFields';
import { useForm } from '../../ui/form/useForm';
import { accountsMessages } from './accounts.messages';
import styles from './accounts.module.css';
import { checkNewPassword } from './passwordFields';

const { setup: messages, password } = accountsMessages;

export const meta = () => [{ title: `${messages.title} · ${brand()}` }, { name: 'robots', content: 'noindex' }];

/** `/setup#<token>`: an invited administrator chooses a password. */
export default function SetupPage() {
  const loadClient = useClientLoader();
  const navigate = useNavigate();
  const [token] = useState(() => window.location.hash.slice(1));
  const form = useForm({
    draft: null,
    initial: { newPassword: '', again: '' },
    scope: 'page',
    check: checkNewPassword,
    fallback: messages.failure,
    send: async ({ newPassword }) => {
      const [client, { SetupAdminDocument }] = await Promise.all([loadClient(), import('./generated/accounts')]);
      await client.mutate({ mutation: SetupAdminDocument, variables: { token, password: newPassword } });
    },
    onSaved: () => {
      notify(messages.done);
      void navigate(paths.login, { replace: true });
    },
  });

  return (
    <div className={styles.setup}>
      <h1>{messages.title}</h1>
      {token === '' ? (
        <Alert>{messages.incomplete}</Alert>
      ) : (
        <Form className={styles.form} onSubmit={form.submit} errors={form.errors} failure={form.failure}>
          <p>{messages.text}</p>
          <TextField
            label={password.next}
            type="password"
            {...form.text('newPassword')}
            hint={password.nextHint}
            autoComplete="new-password"
            required
          />
          <TextField
            label={password.again}
            type="password"
            {...form.text('again')}
            autoComplete="new-password"
            required
          />
          <div>
            <SubmitButton pending={form.pending}>{messages.submit}</SubmitButton>
          </div>
        </Form>
      )}
    </div>
  );
}
