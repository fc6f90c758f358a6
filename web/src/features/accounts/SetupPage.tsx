import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { loadClient } from '../../lib/graphql/client/lazyClient';
import { notify } from '../../lib/notifications/notification';
import { getBrand } from '../../lib/page/brand';
import { paths } from '../../lib/routing/paths';
import { Alert } from '../../ui/feedback/Alert';
import { Form, SubmitButton } from '../../ui/form/Form';
import { useAppForm } from '../../ui/form/state/useAppForm';
import { EntryCard } from '../../ui/layout/EntryCard';
import { ACCOUNT_PARAM } from './invitationLink';
import { NewPasswordFields } from './password/NewPasswordFields';
import { newPasswordSchema } from './password/passwordSchemas';
import { setupMessages as messages } from './setup.messages';

export const meta = () => [{ title: `${messages.title} · ${getBrand()}` }, { name: 'robots', content: 'noindex' }];

/** `/setup#<token>`: an invited or reset administrator chooses a password. */
export default function SetupPage() {
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const username = params.get(ACCOUNT_PARAM) ?? '';
  const [token] = useState(() => window.location.hash.slice(1));
  const form = useAppForm({
    initial: { newPassword: '', again: '' },
    schema: newPasswordSchema,
    scope: 'page',
    failureMessage: messages.failure,
    send: async ({ newPassword }) => {
      const [client, { SetupAdminDocument }] = await Promise.all([loadClient(), import('./generated/accounts')]);
      await client.mutate({ mutation: SetupAdminDocument, variables: { token, password: newPassword } });
    },
    onSaved: () => {
      notify(messages.done);
      void navigate(paths.login, { replace: true, state: { username } });
    },
  });

  return (
    <EntryCard title={messages.title}>
      {token === '' ? (
        <Alert>{messages.incomplete}</Alert>
      ) : (
        <Form form={form}>
          <p>{messages.text}</p>
          {username !== '' && (
            <p>
              {messages.account} <strong>{username}</strong>
            </p>
          )}
          <NewPasswordFields form={form} />
          <div>
            <SubmitButton isPending={form.isPending}>{messages.submit}</SubmitButton>
          </div>
        </Form>
      )}
    </EntryCard>
  );
}
