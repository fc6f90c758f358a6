import { RoutesTab } from '../../features/gateway-routes/RoutesTab';
import { ServicesTab } from '../../features/gateway-services/ServicesTab';
import { brand } from '../../lib/brand';
import { useSearchParamsState } from '../../lib/useSearchParamsState';
import { lazyDialog } from '../../ui/dialog/lazyDialog';
import { Page } from '../../ui/layout/Page';
import { Tabs } from '../../ui/layout/Tabs';
import { gatewayMessages as messages } from './gateway.messages';

const ImportDialog = lazyDialog(() => import('../../features/gateway-routes/ImportDialog'));

export const meta = () => [{ title: `${messages.title} · ${brand()}` }];

const tabs = [
  { id: 'servicos', label: messages.tabs.services },
  { id: 'rotas', label: messages.tabs.routes },
] as const;

/** `/gateway/management`: services and routes, the tab in the address (`?tab=rotas`). */
export default function ManagementPage() {
  const { params, update } = useSearchParamsState();
  const current = params.get('tab') === 'rotas' ? 'rotas' : 'servicos';
  // Search, order and dialog belong to the previous tab.
  const show = (tab: string, { service = '', replace = false } = {}) =>
    update(
      (next) => {
        for (const name of [...next.keys()]) next.delete(name);
        next.set('tab', tab);
        if (service !== '') next.set('filtro', service);
      },
      { replace },
    );
  return (
    <Page title={messages.title} subtitle={messages.subtitle}>
      <Tabs tabs={tabs} current={current} onChange={(tab) => show(tab)} label={messages.tabs.label}>
        {current === 'rotas' ? (
          <RoutesTab />
        ) : (
          <ServicesTab
            ImportDialog={ImportDialog}
            onShowRoutes={({ _id }, { replace }) => show('rotas', { service: _id, replace })}
          />
        )}
      </Tabs>
    </Page>
  );
}
