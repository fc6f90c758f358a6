import { getBrand } from '../../lib/page/brand';
import { useTabParam } from '../../lib/routing/useTabParam';
import { Page } from '../../ui/layout/Page';
import { Tabs } from '../../ui/layout/Tabs';
import { AlertHistory, OpenAlerts } from './AlertList';
import { alertsMessages as messages } from './alerts.messages';
import { ChannelsTab } from './channels/ChannelsTab';
import { RulesTab } from './rules/RulesTab';
import { MaintenanceTab } from './silences/MaintenanceTab';

export const meta = () => [{ title: `${messages.title} · ${getBrand()}` }];

const tabs = [
  { id: 'abertos', label: messages.tabs.open, Panel: OpenAlerts },
  { id: 'historico', label: messages.tabs.history, Panel: AlertHistory },
  { id: 'canais', label: messages.tabs.channels, Panel: ChannelsTab },
  { id: 'regras', label: messages.tabs.rules, Panel: RulesTab },
  { id: 'manutencao', label: messages.tabs.maintenance, Panel: MaintenanceTab },
] as const;

/** `/alerts`: open and past alerts, channels, rules and maintenance. The tab is in the URL (`?aba=`). */
export default function AlertsPage() {
  const { requestedId, show } = useTabParam();
  const { id: current, Panel } = tabs.find(({ id }) => id === requestedId) ?? tabs[0];
  return (
    <Page title={messages.title} subtitle={messages.subtitle}>
      <Tabs tabs={tabs} current={current} onChange={show} label={messages.tabs.label}>
        <Panel />
      </Tabs>
    </Page>
  );
}
