import { useQueryState } from '../../lib/useQueryState';
import { QueryState } from '../../ui/feedback/QueryState';
import { Panel } from '../../ui/layout/Page';
import {
  useIntegrationsQuery,
  useSendTestEmailMutation,
  useSettingsQuery,
  useTestModelMutation,
} from './generated/settings';
import { IntegrationPanel } from './IntegrationPanel';
import { settingsMessages as messages } from './settings.messages';
import styles from './settings.module.css';
import { TelegramForm } from './TelegramForm';

/** The notification bot, and the integrations that are configured by environment variables. */
export function IntegrationsTab() {
  // Not cached: the response holds the bot's token.
  const { data, state } = useQueryState(useSettingsQuery({ fetchPolicy: 'no-cache' }), {
    fallback: messages.failure.load,
    isNotified: true,
    inlineMessage: messages.failure.unavailable,
  });
  const { data: installed } = useIntegrationsQuery();
  const [sendTestEmail] = useSendTestEmailMutation();
  const [testModel] = useTestModelMutation();
  return (
    <div className={styles.panels}>
      <Panel title={messages.telegram.title} text={messages.telegram.text}>
        <QueryState {...state}>{data && <TelegramForm settings={data.settings} />}</QueryState>
      </Panel>
      {installed && (
        <>
          <IntegrationPanel name="email" configured={installed.integrations.email} onTest={() => sendTestEmail()} />
          <IntegrationPanel name="ai" configured={installed.integrations.ai} onTest={() => testModel()} />
        </>
      )}
    </div>
  );
}
