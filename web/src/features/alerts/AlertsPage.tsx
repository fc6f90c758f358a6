import { brand } from '../../lib/brand';
import { useTabParam } from '../../lib/useTabParam';
import { Page } from '../../ui/layout/Page';
import { Tabs } from '../../ui/layout/Tabs';
import { AlertHistory, OpenAlerts } from './AlertList';
import { alertsMessages as messages } from './alerts.messages';
import { ChannelsTab } from './ChannelsTab';
import { MaintenanceTab } from './MaintenanceTab';
import { RulesTab } from './RulesTab';

export const meta = () => [{ title: `${messages.title} · ${brand()}` }];

const tabs = [
  { id: 'abertos', label: messages.tabs.open },
  { id: 'historico', label: messages.tabs.history },
  { id: 'canais', label: messages.tabs.channels },
  { id: 'regras', label: messages.tabs.rules },
  { id: 'manutencao', label: messages.tabs.maintenance },
] as const;

const PANELS = {
  abertos: OpenAlerts,
  historico: AlertHistory,
  canais: ChannelsTab,
  regras: RulesTab,
  manutencao: MaintenanceTab,
} as const;

/** `/alerts`: open and past alerts, channels, rules, maintenance; the tab is in the address (`?aba=`). */
export default function AlertsPage() {
  const { asked, show } = useTabParam();
  const current = tabs.find(({ id }) => id === asked)?.id ?? 'abertos';
  const Panel = PANELS[current];
  return (
    <Page title={messages.title} subtitle={messages.subtitle}>
      <Tabs tabs={tabs} current={current} onChange={show} label={messages.tabs.label}>
        <Panel />
      </Tabs>
    </Page>
  );
}
