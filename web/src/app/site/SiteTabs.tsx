import { lazy, type ReactNode, Suspense } from 'react';
import type { SiteInput } from '../../generated/graph';
import { useTabParam } from '../../lib/routing/useTabParam';
import { Skeleton } from '../../ui/feedback/QueryState';
import { Tabs } from '../../ui/layout/Tabs';
import { siteMessages } from './site.messages';

const { tabs: messages } = siteMessages;
const VersionsTab = lazy(() => import('../../features/versions/VersionsTab'));
const HostPolicyTab = lazy(() => import('../../features/host-policies/HostPolicyTab'));
const DomainsTab = lazy(() => import('../../features/domains/DomainsTab'));

interface SiteTabsProps {
  site: SiteInput;
  /** Accessible name of the row of tabs. */
  label: string;
  overview: ReactNode;
  /** The last requests; absent for a project, which has no host. */
  requests?: ReactNode;
  onShow?: () => void;
}

/** The tabs of the page of a site. The current tab is in the URL (`?aba=`). Default: the overview. */
export function SiteTabs({ site, label, overview, requests, onShow }: SiteTabsProps) {
  const { requestedId, show } = useTabParam();
  const overviewTab = { id: 'geral', label: messages.overview, panel: overview };
  const tabs = [
    overviewTab,
    { id: 'versoes', label: messages.versions, panel: <VersionsTab site={site} /> },
    { id: 'regras', label: messages.rules, panel: <HostPolicyTab site={site} /> },
    ...(site.type === 'project'
      ? []
      : [{ id: 'dominios', label: messages.domains, panel: <DomainsTab site={site} /> }]),
    ...(requests ? [{ id: 'requisicoes', label: messages.requests, panel: requests }] : []),
  ];
  const { id: current, panel } = tabs.find(({ id }) => id === requestedId) ?? overviewTab;
  return (
    <Tabs
      tabs={tabs}
      current={current}
      label={label}
      onChange={(tab) => {
        show(tab);
        onShow?.();
      }}
    >
      <Suspense fallback={<Skeleton />}>{panel}</Suspense>
    </Tabs>
  );
}
