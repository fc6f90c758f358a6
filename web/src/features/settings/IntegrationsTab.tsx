import { useQueryState } from '../../lib/graphql/query/useQueryState';
import { QueryState } from '../../ui/feedback/QueryState';
import { Panel, PanelGrid } from '../../ui/layout/Page';
import {
  useIntegrationsQuery,
  useSendTestEmailMutation,
  useSettingsQuery,
  useTestModelMutation,
} from './generated/settings';
import { IntegrationPanel } from './IntegrationPanel';
import { settingsMessages as messages } from './settings.messages';
import { TelegramForm } from './TelegramForm';

/** The notification bot, and the integrations that are configured by environment variables. */
export function IntegrationsTab() {
  // The response is not cached, because it contains the bot's token.
  const { data, state } = useQueryState(useSettingsQuery({ fetchPolicy: 'no-cache' }), {
    failureMessage: messages.failure.load,
    isFailureNotified: true,
    inlineMessage: messages.failure.unavailable,
  });
  const { data: integrationsData, state: integrationsState } = useQueryState(useIntegrationsQuery(), {
    failureMessage: messages.failure.load,
  });
  const integrations = integrationsData?.integrations;
  const [sendTestEmail] = useSendTestEmailMutation();
  const [testModel] = useTestModelMutation();
  return (
    <PanelGrid>
      <Panel title={messages.telegram.title} text={messages.telegram.text}>
        <QueryState {...state} skeleton="form">
          {data && <TelegramForm settings={data.settings} />}
        </QueryState>
      </Panel>
      <IntegrationPanel
        name="email"
        configured={integrations?.email}
        state={integrationsState}
        onTest={() => sendTestEmail()}
      />
      <IntegrationPanel name="ai" configured={integrations?.ai} state={integrationsState} onTest={() => testModel()} />
    </PanelGrid>
  );
}
