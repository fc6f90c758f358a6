import { Button, Flex } from '@chakra-ui/react';
import { notify } from '../../../lib/notifications/notification';
import { markRecentlyCreated } from '../../../lib/notifications/recentlyCreated';
import { SecretDialog } from '../../../ui/dialog/SecretDialog';
import { Form, SubmitButton } from '../../../ui/form/Form';
import { useAppForm } from '../../../ui/form/state/useAppForm';
import { Panel } from '../../../ui/layout/Page';
import { uiMessages } from '../../../ui/ui.messages';
import { keysMessages as messages } from '../gateway-keys.messages';
import { ApiKeysDocument, useCreateApiKeyMutation } from '../generated/gateway-keys';
import { useShowKey } from '../useShowKey';
import { KeyFields } from './KeyFields';
import { keySchema, toKeyInput, toKeyValues } from './keyForm';

const { success, failure } = messages;

interface CreateKeyFormProps {
  /** True if keys exist. Then the form is above their list and can be closed. */
  isClosable: boolean;
  onClose: () => void;
}

/** Creates a key and shows it once. Afterwards the page does not contain the key. */
export function CreateKeyForm({ isClosable, onClose }: CreateKeyFormProps) {
  const showKey = useShowKey(messages.created.title);
  // The response is neither cached nor kept in the hook (`reset`), because it contains the key.
  const [create, { reset }] = useCreateApiKeyMutation({ fetchPolicy: 'no-cache', refetchQueries: [ApiKeysDocument] });
  const form = useAppForm({
    draft: 'gateway-keys:nova',
    initial: toKeyValues(),
    schema: keySchema,
    scope: 'page',
    failureMessage: failure.create,
    isFailureNotified: true,
    send: async (values) => {
      await SecretDialog.preload();
      const { data } = await create({ variables: { input: toKeyInput(values) } });
      reset();
      return data?.createApiKey;
    },
    onSaved: (apiKey) => {
      form.reset(toKeyValues());
      markRecentlyCreated(apiKey?._id);
      notify(success.created);
      if (isClosable) onClose();
      if (apiKey) showKey(apiKey);
    },
  });

  return (
    <Panel title={messages.form.title}>
      <Form form={form} failure={null}>
        <KeyFields form={form} autoFocus={isClosable} />
        <Flex wrap="wrap" gap="2">
          <SubmitButton isPending={form.isPending}>{messages.form.submit}</SubmitButton>
          {isClosable && (
            <Button variant="outline" onClick={onClose}>
              {uiMessages.cancel}
            </Button>
          )}
        </Flex>
      </Form>
    </Panel>
  );
}
