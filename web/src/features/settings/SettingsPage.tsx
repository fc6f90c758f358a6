import { brand } from '../../ui/brand';
import { ListState } from '../../ui/ListState';
import { Page, Panel } from '../../ui/Page';
import { useFailureNotice } from '../../ui/useFailureNotice';
import { useSettingsQuery } from './generated/settings';
import { PasswordForm } from './PasswordForm';
import { ReceivedMessages } from './ReceivedMessages';
import { settingsMessages as messages } from './settings.messages';
import styles from './settings.module.css';
import { TelegramForm } from './TelegramForm';

export const meta = () => [{ title: `${messages.title} · ${brand()}` }];

/** `/settings`: the notification bot, one's password, what visitors wrote. */
export default function SettingsPage() {
  // Not cached: the answer holds the bot's token.
  const { data, loading, error, refetch } = useSettingsQuery({ fetchPolicy: 'no-cache' });
  useFailureNotice({ error, loading }, messages.failure.load);
  return (
    <Page title={messages.title}>
      <div className={styles.columns}>
        <Panel title={messages.telegram.title} text={messages.telegram.text}>
          <ListState
            ready={data !== undefined}
            loading={loading}
            failure={error ? messages.failure.unavailable : null}
            onRetry={() => void refetch().catch(() => undefined)}
          >
            {data && <TelegramForm settings={data.settings} />}
          </ListState>
        </Panel>
        <Panel title={messages.password.title} text={messages.password.text}>
          <PasswordForm />
        </Panel>
      </div>
      <section className={styles.received} aria-labelledby="received">
        <h2 id="received">{messages.contact.title}</h2>
        <p>{messages.contact.text}</p>
        <ReceivedMessages />
      </section>
    </Page>
  );
}
