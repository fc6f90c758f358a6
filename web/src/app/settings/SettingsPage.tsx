import { lazy, Suspense } from 'react';
import { AdministratorsTab } from '../../features/accounts/administrators/AdministratorsTab';
import { OwnAccountTab } from '../../features/accounts/OwnAccountTab';
import { ServiceAccountsPanel } from '../../features/accounts/service-accounts/ServiceAccountsPanel';
import { AuditTab } from '../../features/audit/AuditTab';
import { ReceivedMessages } from '../../features/messages/ReceivedMessages';
import { IntegrationsTab } from '../../features/settings/IntegrationsTab';
import { TokensTab } from '../../features/tokens/TokensTab';
import { getBrand } from '../../lib/page/brand';
import { useTabParam } from '../../lib/routing/useTabParam';
import { useAccess } from '../../lib/session/access';
import { Skeleton } from '../../ui/feedback/QueryState';
import { Page } from '../../ui/layout/Page';
import { Tabs } from '../../ui/layout/Tabs';
import { uiMessages } from '../../ui/ui.messages';
import { settingsMessages as messages } from './settings.messages';

const BackupsTab = lazy(() => import('../../features/backups/BackupsTab'));

export const meta = () => [{ title: `${messages.title} · ${getBrand()}` }];

/** The tabs in their order, each with the accounts that may open it. */
const TABS = [
  { id: 'integracoes', label: messages.tabs.integrations, openTo: 'administrator', Panel: IntegrationsTab },
  { id: 'mensagens', label: messages.tabs.messages, openTo: 'operator', Panel: ReceivedMessages },
  { id: 'administradores', label: messages.tabs.administrators, openTo: 'administrator', Panel: AdministratorsTab },
  { id: 'conta', label: messages.tabs.account, openTo: 'everybody', Panel: OwnAccountTab },
  { id: 'tokens', label: messages.tabs.tokens, openTo: 'everybody', Panel: Tokens },
  { id: 'backup', label: messages.tabs.backup, openTo: 'administrator', Panel: BackupsTab },
  { id: 'atividade', label: messages.tabs.activity, openTo: 'operator', Panel: AuditTab },
] as const;

function Tokens() {
  const { isAdministrator } = useAccess();
  return (
    <>
      <TokensTab />
      {isAdministrator && <ServiceAccountsPanel />}
    </>
  );
}

/** `/settings`: one tab for each part of the installation and of the account. The tab is in the URL (`?aba=`). */
export default function SettingsPage() {
  const { requestedId, show } = useTabParam();
  const { isAdministrator, isLimited, canWrite } = useAccess();
  const rights = { administrator: isAdministrator, operator: canWrite && !isLimited, everybody: true };
  const tabs = TABS.filter((tab) => rights[tab.openTo]);
  const currentTab = TABS.find(({ id }) => id === requestedId) ?? tabs[0] ?? TABS[0];
  const { Panel } = currentTab;
  return (
    <Page title={messages.title} subtitle={messages.subtitle} allowViewers>
      <Tabs tabs={tabs} current={currentTab.id} onChange={show} label={messages.tabs.label}>
        {tabs.includes(currentTab) ? (
          <Suspense fallback={<Skeleton />}>
            <Panel />
          </Suspense>
        ) : (
          <p>{isLimited ? uiMessages.limited : uiMessages.notPermitted}</p>
        )}
      </Tabs>
    </Page>
  );
}
