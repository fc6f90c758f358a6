import { Button, Spinner } from '@chakra-ui/react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { Alert } from '../../ui/Alert';
import { useClientLoader } from '../../ui/clientLoader';
import { Form } from '../../ui/Form';
import { TextField } from '../../ui/fields';
import { pageMeta } from '../../ui/pageMeta';
import { SevenTicks } from '../../ui/SevenTicks';
import { startSession } from '../../ui/session';
import { type FieldErrors, useSubmit } from '../../ui/useSubmit';
import { loginMessages as messages } from './login.messages';
import styles from './login.module.css';

export const meta = () => pageMeta({ path: '/login', ...messages.meta });

/** `/login`: name and password for a token, then the console. */
export default function LoginPage() {
  const loadClient = useClientLoader();
  const navigate = useNavigate();
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');

  const { submit, pending, errors, failure } = useSubmit({
    fallback: messages.failure,
    check: () => {
      const found: FieldErrors = {};
      if (!username.trim()) found.username = messages.usernameRequired;
      if (!password) found.password = messages.passwordRequired;
      return found;
    },
    send: async () => {
      const [client, { LoginDocument }] = await Promise.all([loadClient(), import('./generated/login')]);
      const { data } = await client.mutate({
        mutation: LoginDocument,
        variables: { username: username.trim(), password },
        fetchPolicy: 'no-cache',
      });
      if (!data) throw new Error('login answered without a token');
      startSession(data.login.token);
      await navigate('/admin');
    },
  });

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: focus only starts a download
    <div className={styles.login} onFocus={() => void loadClient()}>
      <SevenTicks className={styles.ticks} />
      <h1>{messages.title}</h1>
      <Form className={styles.form} onSubmit={submit} errors={errors}>
        <TextField
          label={messages.username}
          name="username"
          value={username}
          onChange={setUsername}
          error={errors.username}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
        />
        <TextField
          label={messages.password}
          name="password"
          type="password"
          value={password}
          onChange={setPassword}
          error={errors.password}
          autoComplete="current-password"
        />
        <Button type="submit" size="lg" aria-busy={pending || undefined}>
          {pending && <Spinner aria-hidden />}
          {messages.submit}
        </Button>
      </Form>
      <div className={styles.answer}>{failure && <Alert>{failure}</Alert>}</div>
    </div>
  );
}
