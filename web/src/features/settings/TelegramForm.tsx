import { Button, Spinner } from '@chakra-ui/react';
import { Send } from 'lucide-react';
import { useState } from 'react';
import { Form, SubmitButton } from '../../ui/Form';
import { CheckField, TextField } from '../../ui/fields';
import { notify } from '../../ui/notification';
import { useDraft } from '../../ui/useDraft';
import { useSubmit } from '../../ui/useSubmit';
import { type SettingsQuery, useSendTestMessageMutation, useUpdateSettingsMutation } from './generated/settings';
import { settingsMessages } from './settings.messages';
import styles from './settings.module.css';

const { telegram: messages, failure, success } = settingsMessages;
const asNotification = (sentence: string) => notify(sentence, { color: 'error' });

/** The notification bot's credentials. The token is a secret: nothing of it is kept in the browser. */
export function TelegramForm({ settings }: { settings: SettingsQuery['settings'] }) {
  const { values, change, settle } = useDraft(
    null,
    { telegramBotToken: settings.telegramBotToken, telegramChatId: settings.telegramChatId },
    'page',
  );
  const [visible, setVisible] = useState(false);
  const [save] = useUpdateSettingsMutation({ fetchPolicy: 'no-cache' });
  const [sendTest] = useSendTestMessageMutation();

  const form = useSubmit({
    fallback: failure.save,
    onFailure: asNotification,
    send: async () => {
      await save({ variables: { input: values } });
      settle();
      notify(success.saved);
    },
  });
  const test = useSubmit({
    fallback: failure.test,
    prefer: 'details',
    onFailure: asNotification,
    send: async () => {
      await sendTest();
      notify(success.tested);
    },
  });

  return (
    <Form className={styles.form} onSubmit={form.submit} errors={form.errors} failure={form.failure ?? test.failure}>
      <TextField
        label={messages.token}
        type={visible ? 'text' : 'password'}
        value={values.telegramBotToken}
        onChange={(telegramBotToken) => change({ telegramBotToken })}
        error={form.errors.telegramBotToken}
        hint={messages.tokenHint}
        autoComplete="off"
        spellCheck={false}
      />
      <CheckField label={messages.showToken} checked={visible} onChange={setVisible} />
      <TextField
        label={messages.chatId}
        value={values.telegramChatId}
        onChange={(telegramChatId) => change({ telegramChatId })}
        error={form.errors.telegramChatId}
        hint={messages.chatIdHint}
        autoComplete="off"
        spellCheck={false}
      />
      <div className={styles.buttons}>
        <SubmitButton pending={form.pending}>{messages.save}</SubmitButton>
        <Button variant="outline" onClick={test.submit} aria-busy={test.pending || undefined}>
          {test.pending ? <Spinner aria-hidden /> : <Send aria-hidden />}
          {messages.test}
        </Button>
        <small>{messages.testHint}</small>
      </div>
    </Form>
  );
}
