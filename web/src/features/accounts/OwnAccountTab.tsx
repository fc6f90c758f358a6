import { Panel, PanelGrid } from '../../ui/layout/Page';
import { accountsMessages as messages } from './accounts.messages';
import { LoginsPanel } from './LoginsPanel';
import { PasswordForm } from './PasswordForm';
import { TotpPanel } from './TotpPanel';

/** Password, second factor and last logins of the logged-in person. */
export const OwnAccountTab = () => (
  <PanelGrid>
    <Panel title={messages.password.title} text={messages.password.text}>
      <PasswordForm />
    </Panel>
    <TotpPanel />
    <LoginsPanel />
  </PanelGrid>
);
