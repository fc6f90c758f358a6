import { AdministratorsTab } from '../../features/accounts/AdministratorsTab';
import { AuditTab } from '../../features/audit/AuditTab';
import { ReceivedMessages } from '../../features/messages/ReceivedMessages';
import { IntegrationsTab } from '../../features/settings/IntegrationsTab';
import { brand } from '../../lib/brand';
import { useSearchParamsState } from '../../lib/useSearchParamsState';
import { Page } from '../../ui/layout/Page';
import { Tabs } from '../../ui/layout/Tabs';
import { settingsMessages as messages } from './settings.messages';

export const meta = () => [{ title: `${messages.title} · ${brand()}` }];

const tabs = [
  { id: 'integracoes', label: messages.tabs.integrations },
  { id: 'mensagens', label: messages.tabs.messages },
  { id: 'administradores', label: messages.tabs.administrators },
  { id: 'atividade', label: messages.tabs.activity },
] as const;

const PANELS = {
  integracoes: IntegrationsTab,
  mensagens: ReceivedMessages,
  administradores: AdministratorsTab,
  atividade: AuditTab,
} as const;

/** `/settings`: integrations, contact messages, administrators, the audit trail; the tab is in the address (`?aba=`). */
export default function SettingsPage() {
  const { params, update } = useSearchParamsState();
  const current = tabs.find(({ id }) => id === params.get('aba'))?.id ?? 'integracoes';
  // Search, filter and dialog belong to the previous tab.
  const show = (tab: string) =>
    update(
      (next) => {
        for (const name of [...next.keys()]) next.delete(name);
        next.set('aba', tab);
      },
      { replace: false, state: null },
    );
  const Panel = PANELS[current];
  return (
    <Page title={messages.title}>
      <Tabs tabs={tabs} current={current} onChange={show} label={messages.tabs.label}>
        <Panel />
      </Tabs>
    </Page>
  );
}
