import { notify, notifyFailure } from '../../lib/notification';
import { markRecentlyCreated } from '../../lib/recentlyCreated';
import { Form, SubmitButton } from '../../ui/form/Form';
import { useForm } from '../../ui/form/useForm';
import { Panel } from '../../ui/layout/Page';
import { keysMessages as messages } from './gateway-keys.messages';
import styles from './gateway-keys.module.css';
import { ApiKeysDocument, useCreateApiKeyMutation } from './generated/gateway-keys';
import { KeyFields } from './KeyFields';
import { checkKey, keyInput, keyValues } from './keyForm';
import { useShowKey } from './useShowKey';

const { success, failure } = messages;

/** Creates a key and shows it once; afterwards it is nowhere in the page. */
export function CreateKeyForm() {
  const { prepare, show } = useShowKey();
  // Not cached: the response is the only one that carries the key.
  const [create, { reset }] = useCreateApiKeyMutation({ fetchPolicy: 'no-cache', refetchQueries: [ApiKeysDocument] });
  const form = useForm({
    draft: 'gateway-keys:nova',
    initial: keyValues(),
    scope: 'page',
    check: checkKey,
    fallback: failure.create,
    onFailure: notifyFailure,
    send: async (values) => {
      await prepare();
      const { data } = await create({ variables: { input: keyInput(values) } });
      reset();
      return data?.createApiKey;
    },
    resetsWhenSaved: true,
    onSaved: (apiKey) => {
      markRecentlyCreated(apiKey?._id);
      notify(success.created);
      if (apiKey) show(apiKey);
    },
  });

  return (
    <Panel title={messages.form.title}>
      <Form className={styles.form} onSubmit={form.submit} errors={form.errors} restored={form.restored}>
        <KeyFields form={form} />
        <div>
          <SubmitButton pending={form.pending}>{messages.form.submit}</SubmitButton>
        </div>
      </Form>
    </Panel>
  );
}
