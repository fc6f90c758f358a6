import { useApolloClient } from '@apollo/client/react';
import { Flex } from '@chakra-ui/react';
import { Send } from 'lucide-react';
import { object, string } from 'valibot';
import { Form, SubmitButton } from '../../ui/form/Form';
import { TextField } from '../../ui/form/fields/textFields';
import { useAppForm } from '../../ui/form/state/useAppForm';
import { useAction } from '../../ui/form/useAction';
import {
  SettingsDocument,
  type SettingsQuery,
  useSendTestMessageMutation,
  useUpdateSettingsMutation,
} from './generated/settings';
import { settingsMessages } from './settings.messages';

const { telegram: messages, failure, success } = settingsMessages;
const schema = object({ telegramBotToken: string(), telegramChatId: string() });
const toValues = ({ telegramBotToken, telegramChatId }: SettingsQuery['settings']) => ({
  telegramBotToken,
  telegramChatId,
});

/** From 768 px on, the two fields share a row. The buttons and messages span both columns. */
const bothColumns = { md: '1 / -1' };
const formCss = { '& > :is([role=alert], [role=status])': { gridColumn: bothColumns } };

/** The notification bot's credentials. The token is a secret, so the form stores no draft. */
export function TelegramForm({ settings }: { settings: SettingsQuery['settings'] }) {
  const client = useApolloClient();
  const [save] = useUpdateSettingsMutation({ fetchPolicy: 'no-cache' });
  const [sendTest] = useSendTestMessageMutation();
  const form = useAppForm({
    initial: toValues(settings),
    schema,
    scope: 'page',
    failureMessage: failure.save,
    isFailureNotified: true,
    send: (input, version) => save({ variables: { input, version } }),
    editedEntity: {
      row: settings,
      read: async () => (await client.query({ query: SettingsDocument, fetchPolicy: 'no-cache' })).data?.settings,
      toValues,
      labels: messages,
      format: (field, value) => (field === 'telegramBotToken' && value ? messages.tokenMask : undefined),
      getVersion: ({ data }) => data?.updateSettings.version,
    },
    success: success.saved,
  });
  const testing = useAction({
    failureMessage: failure.test,
    messageFrom: 'details',
    send: () => sendTest(),
    success: success.tested,
  });

  return (
    <Form
      gridTemplateColumns={{ md: 'repeat(2, minmax(0, 1fr))' }}
      css={formCss}
      form={form}
      failure={form.failure ?? testing.failure}
    >
      <TextField {...form.text('telegramBotToken', messages)} type="password" autoComplete="off" spellCheck={false} />
      <TextField {...form.text('telegramChatId', messages)} autoComplete="off" spellCheck={false} />
      <Flex wrap="wrap" align="center" gap="2" gridColumn={bothColumns}>
        <SubmitButton isPending={form.isPending}>{messages.save}</SubmitButton>
        <SubmitButton variant="outline" action={testing} icon={<Send aria-hidden />}>
          {messages.test}
        </SubmitButton>
        <small>{messages.testHint}</small>
      </Flex>
    </Form>
  );
}
