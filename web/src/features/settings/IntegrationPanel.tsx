import { Flex } from '@chakra-ui/react';
import { Send } from 'lucide-react';
import type { ComponentProps } from 'react';
import { Chip } from '../../ui/cells/Chip';
import { QueryState } from '../../ui/feedback/QueryState';
import { SubmitButton } from '../../ui/form/Form';
import { useAction } from '../../ui/form/useAction';
import { Panel } from '../../ui/layout/Page';
import { settingsMessages } from './settings.messages';

const messages = settingsMessages.integrations;

interface IntegrationPanelProps {
  name: 'email' | 'ai';
  /** Whether the integration is configured; undefined while the state loads. */
  configured: boolean | undefined;
  state: Omit<ComponentProps<typeof QueryState>, 'children'>;
  onTest: () => Promise<unknown>;
}

/** An integration that is configured by environment variables: its state, and a button that tests it. */
export function IntegrationPanel({ name, configured, state, onTest }: IntegrationPanelProps) {
  const { title, text, missing, states, test, tested, failure } = messages[name];
  const testing = useAction({ failureMessage: failure, messageFrom: 'details', send: onTest, success: tested });
  const stateText = configured ? text : missing;
  return (
    <Panel
      title={
        <Flex as="span" wrap="wrap" align="center" rowGap="1" columnGap="3">
          {title}
          {configured !== undefined && (
            <Chip color={configured ? 'green' : 'neutral'}>{configured ? states.configured : states.missing}</Chip>
          )}
        </Flex>
      }
      text={configured === undefined ? undefined : stateText}
    >
      <QueryState {...state} skeleton="text">
        {configured && (
          <SubmitButton mt="3" variant="outline" action={testing} icon={<Send aria-hidden />}>
            {test}
          </SubmitButton>
        )}
      </QueryState>
    </Panel>
  );
}
