import { useQueryState } from '../../lib/useQueryState';
import { QueryState } from '../../ui/feedback/QueryState';
import { Panel } from '../../ui/layout/Page';
import { accountsMessages as messages } from './accounts.messages';
import styles from './accounts.module.css';
import { useOwnAccountQuery } from './generated/accounts';
import { LoginsPanel } from './LoginsPanel';
import { PasswordForm } from './PasswordForm';
import { TotpPanel } from './TotpPanel';

/** One's own password and second factor. */
export function OwnAccountTab() {
  const { data, state } = useQueryState(useOwnAccountQuery(), { fallback: messages.failure.load });
  return (
    <QueryState {...state}>
      <div className={styles.own}>
        <Panel title={messages.password.title} text={messages.password.text}>
          <PasswordForm />
        </Panel>
        {data && <TotpPanel isOn={data.me.totp} />}
        <LoginsPanel />
      </div>
    </QueryState>
  );
}
