import { Panel, PanelGrid } from '../../ui/layout/Page';
import { accountsMessages as messages } from './accounts.messages';
import { LoginsPanel } from './LoginsPanel';
import { PasswordForm } from './PasswordForm';
import { TotpPanel } from './TotpPanel';

/** One's own password, second factor and last logins. */
export const OwnAccountTab = () => (
  <PanelGrid>
    <Panel title={messages.password.title} text={messages.password.text}>
      <PasswordForm />
    </Panel>
    <TotpPanel />
    <LoginsPanel />
  </PanelGrid>
);
