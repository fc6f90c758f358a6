import { RoutesTab } from '../../features/gateway-routes/RoutesTab';
import { ServicesTab } from '../../features/gateway-services/ServicesTab';
import { getBrand } from '../../lib/page/brand';
import { useTabParam } from '../../lib/routing/useTabParam';
import { lazyDialog } from '../../ui/dialog/lazyDialog';
import { Page } from '../../ui/layout/Page';
import { Tabs } from '../../ui/layout/Tabs';
import { gatewayMessages as messages } from './gateway.messages';

const ImportDialog = lazyDialog(() => import('../../features/gateway-routes/import/ImportDialog'));

export const meta = () => [{ title: `${messages.title} · ${getBrand()}` }];

const tabs = [
  { id: 'servicos', label: messages.tabs.services },
  { id: 'rotas', label: messages.tabs.routes },
] as const;

/** `/gateway/management`: services and routes. The tab is in the URL (`?tab=rotas`). */
export default function ManagementPage() {
  const { requestedId, show } = useTabParam('tab');
  const current = requestedId === 'rotas' ? 'rotas' : 'servicos';
  return (
    <Page title={messages.title} subtitle={messages.subtitle}>
      <Tabs tabs={tabs} current={current} onChange={show} label={messages.tabs.label}>
        {current === 'rotas' ? (
          <RoutesTab />
        ) : (
          <ServicesTab
            ImportDialog={ImportDialog}
            onShowRoutes={({ _id }, { replace }) => show('rotas', { filter: _id, replace })}
          />
        )}
      </Tabs>
    </Page>
  );
}
