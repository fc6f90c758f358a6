import { chakra } from '@chakra-ui/react';
import { useSyncExternalStore } from 'react';
import { Navigate, useLocation } from 'react-router';
import { nonEmpty, object, optional, pipe, string } from 'valibot';
import { loadClient } from '../../lib/graphql/client/lazyClient';
import { isObject } from '../../lib/isObject';
import { createPageMeta } from '../../lib/page/pageMeta';
import { AFTER_LOGIN, paths } from '../../lib/routing/paths';
import { getReturnPath, startSession, useIsLoggedIn, watchSession } from '../../lib/session/session';
import { isCodeRequired } from '../../lib/userError';
import { Alert } from '../../ui/feedback/Alert';
import { Form, SubmitButton } from '../../ui/form/Form';
import { TextField } from '../../ui/form/fields/textFields';
import { requiredText } from '../../ui/form/schema/schemas';
import { useAppForm } from '../../ui/form/state/useAppForm';
import { useCodeStep } from '../../ui/form/useCodeStep';
import { EntryCard } from '../../ui/layout/EntryCard';
import { uiMessages } from '../../ui/ui.messages';
import { loginMessages as messages } from './login.messages';
import { SecondStep } from './SecondStep';

export const meta = () => createPageMeta({ path: paths.login, ...messages.meta });

const credentials = {
  username: requiredText(messages.usernameRequired),
  password: pipe(string(), nonEmpty(messages.passwordRequired)),
};
const firstStepSchema = object({ ...credentials, code: optional(string()) });
const secondStepSchema = object({ ...credentials, code: optional(requiredText(messages.codeRequired), '') });

const hasReturnPath = () => getReturnPath() !== null;

/** The username of an invitation that was accepted just now. */
const readInvitedUsername = (state: unknown): string =>
  isObject(state) && typeof state.username === 'string' ? state.username : '';

/** `/login`: asks for name and password, for a code if the account has a second factor, and opens the console. */
export default function LoginPage() {
  const isLoggedIn = useIsLoggedIn();
  const invitedUsername = readInvitedUsername(useLocation().state);
  const { asksCode, sendWithCode, goBack } = useCodeStep(isCodeRequired);
  // Only an expired session leaves a return path. The prerendered page cannot read the storage of the browser.
  const isExpired = useSyncExternalStore(watchSession, hasReturnPath, () => false);
  const form = useAppForm({
    schema: asksCode ? secondStepSchema : firstStepSchema,
    scope: 'page',
    failureMessage: messages.failure,
    send: async ({ username, password, code }) => {
      const [client, { LoginDocument }] = await Promise.all([loadClient(), import('./generated/login')]);
      return sendWithCode(async () => {
        const variables = { username: username.trim(), password, code };
        const { data } = await client.mutate({ mutation: LoginDocument, variables, fetchPolicy: 'no-cache' });
        if (!data) throw new Error('the login response has no token');
        // Drafts are stored by account. The server ignores the case of a username.
        startSession(data.login.token, username.trim().toLowerCase());
      });
    },
  });

  const hasOuterSpace = /^\s|\s$/.test(form.watch('password'));

  // The console opens after a login, and also if a session exists already.
  if (isLoggedIn) return <Navigate to={getReturnPath() ?? paths.subdomains} state={{ [AFTER_LOGIN]: true }} replace />;
  return (
    <EntryCard title={messages.title} onFocus={() => void loadClient().catch(() => undefined)}>
      {isExpired && (
        <chakra.p mt="3" py="2.5" px="3.5" borderRadius="sm" bg="bg.subtle" role="status">
          {messages.expired}
        </chakra.p>
      )}
      <Form mt="6" form={form} failure={null}>
        {asksCode ? (
          <SecondStep
            form={form}
            onBack={() => {
              form.change({ code: '' });
              goBack();
            }}
          />
        ) : (
          <>
            <TextField
              {...form.text('username', messages)}
              defaultValue={invitedUsername}
              autoComplete="username"
              autoFocus={!invitedUsername}
              autoCapitalize="none"
              spellCheck={false}
            />
            <TextField
              {...form.text('password', messages)}
              type="password"
              autoComplete="current-password"
              autoFocus={invitedUsername !== ''}
            />
          </>
        )}
        <SubmitButton size="lg" mt="1" isPending={form.isPending}>
          {messages.submit}
        </SubmitButton>
      </Form>
      <chakra.div mt="4" _empty={{ display: 'none' }}>
        {form.failure && (
          <Alert note={form.failure.note || (hasOuterSpace ? uiMessages.hasOuterSpace : undefined)}>
            {form.failure.message}
          </Alert>
        )}
      </chakra.div>
    </EntryCard>
  );
}
