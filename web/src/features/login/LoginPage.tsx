import { useEffect, useRef, useState } from 'react';
import { Navigate } from 'react-router';
import { paths } from '../../app/paths';
import { useClientLoader } from '../../lib/clientLoader';
import { isCodeRequired } from '../../lib/failure';
import { pageMeta } from '../../lib/pageMeta';
import { startSession, useSession } from '../../lib/session';
import { Alert } from '../../ui/feedback/Alert';
import { Button, Spinner } from '../../ui/form/Button';
import { Form } from '../../ui/form/Form';
import { TextField } from '../../ui/form/textFields';
import { useForm } from '../../ui/form/useForm';
import type { FieldErrors } from '../../ui/form/useSubmit';
import { SevenTicks } from '../../ui/layout/SevenTicks';
import { loginMessages as messages } from './login.messages';
import styles from './login.module.css';

export const meta = () => pageMeta({ path: paths.login, ...messages.meta });

/** `/login`: name and password, and the code where the account has a second factor, for a token; then the console. */
export default function LoginPage() {
  const loadClient = useClientLoader();
  const session = useSession();
  const [asksCode, setAsksCode] = useState(false);
  const code = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (asksCode) code.current?.focus();
  }, [asksCode]);
  const form = useForm({
    draft: null,
    initial: { username: '', password: '', code: '' },
    scope: 'page',
    check: ({ username, password }) => {
      const found: FieldErrors = {};
      if (!username.trim()) found.username = messages.usernameRequired;
      if (!password) found.password = messages.passwordRequired;
      return found;
    },
    fallback: messages.failure,
    send: async ({ username, password, code: typed }) => {
      const [client, { LoginDocument }] = await Promise.all([loadClient(), import('./generated/login')]);
      const login = client.mutate({
        mutation: LoginDocument,
        variables: { username: username.trim(), password, code: typed.trim() || null },
        fetchPolicy: 'no-cache',
      });
      login.catch((error: unknown) => setAsksCode((asked) => asked || isCodeRequired(error)));
      const { data } = await login;
      if (!data) throw new Error('the login response has no token');
      startSession(data.login.token, username.trim());
    },
  });

  // After a login, and when logged in already.
  if (session) return <Navigate to={paths.subdomains} replace />;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: focus only starts a download
    <div className={styles.login} onFocus={() => void loadClient()}>
      <SevenTicks className={styles.ticks} />
      <h1>{messages.title}</h1>
      <Form className={styles.form} onSubmit={form.submit} errors={form.errors}>
        <TextField
          label={messages.username}
          name="username"
          {...form.text('username')}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
        />
        <TextField
          label={messages.password}
          name="password"
          type="password"
          {...form.text('password')}
          autoComplete="current-password"
        />
        {asksCode && (
          <TextField
            ref={code}
            label={messages.code}
            name="code"
            {...form.text('code')}
            hint={messages.codeHint}
            autoComplete="one-time-code"
            spellCheck={false}
          />
        )}
        <Button type="submit" size="lg" aria-busy={form.pending || undefined}>
          {form.pending && <Spinner aria-hidden />}
          {messages.submit}
        </Button>
      </Form>
      <div className={styles.answer}>
        {form.failure && <Alert note={form.failure.note}>{form.failure.sentence}</Alert>}
      </div>
    </div>
  );
}
