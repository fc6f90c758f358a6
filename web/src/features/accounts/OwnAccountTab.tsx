import { Panel, PanelGrid } from '../../ui/layout/Page';
import { accountsMessages as messages } from './accounts.messages';
import { LoginsPanel } from './LoginsPanel';
import { PasswordForm } from './password/PasswordForm';
import { TotpPanel } from './totp/TotpPanel';

/** Password, second factor and last logins of the logged-in account. */
export const OwnAccountTab = () => (
  <PanelGrid>
    <Panel title={messages.password.title} text={messages.password.text}>
      <PasswordForm />
    </Panel>
    <TotpPanel />
    <LoginsPanel />
  </PanelGrid>
);
