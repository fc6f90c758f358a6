import { useState } from 'react';
import { announceArrival } from '../../ui/arrivals';
import { Form, SubmitButton } from '../../ui/Form';
import { lazyDialog } from '../../ui/lazyDialog';
import { notify } from '../../ui/notification';
import { Panel } from '../../ui/Page';
import { useDraft } from '../../ui/useDraft';
import { useSubmit } from '../../ui/useSubmit';
import { keysMessages as messages } from './gateway-keys.messages';
import styles from './gateway-keys.module.css';
import { ApiKeysDocument, useCreateApiKeyMutation } from './generated/gateway-keys';
import { KeyFields } from './KeyFields';
import { checkKey, keyInput, keyValues } from './keyForm';

const CreatedKeyDialog = lazyDialog(() => import('./CreatedKeyDialog'));

/** Creates a key and shows it once; afterwards it is nowhere in the page. */
export function CreateKeyForm() {
  const { values, change, settle } = useDraft('gateway-keys:nova', keyValues(), 'page');
  const [created, setCreated] = useState<{ name: string; secret: string } | null>(null);
  // Not cached: the answer is the only one that carries the key.
  const [create, { reset }] = useCreateApiKeyMutation({ fetchPolicy: 'no-cache', refetchQueries: [ApiKeysDocument] });

  const form = useSubmit({
    fallback: messages.failure.create,
    check: () => checkKey(values),
    onFailure: (sentence) => notify(sentence, { color: 'error' }),
    send: async () => {
      // No key is made that could not be shown.
      await CreatedKeyDialog.preload();
      const { data } = await create({ variables: { input: keyInput(values) } });
      reset();
      announceArrival(data?.createApiKey._id);
      settle(keyValues());
      if (data) setCreated({ name: data.createApiKey.name, secret: data.createApiKey.key });
      notify(messages.success.created);
    },
  });

  return (
    <Panel title={messages.form.title}>
      <Form className={styles.form} onSubmit={form.submit} errors={form.errors}>
        <KeyFields values={values} errors={form.errors} onChange={change} />
        <div>
          <SubmitButton pending={form.pending}>{messages.form.submit}</SubmitButton>
        </div>
      </Form>
      {created && <CreatedKeyDialog {...created} onClose={() => setCreated(null)} />}
    </Panel>
  );
}
