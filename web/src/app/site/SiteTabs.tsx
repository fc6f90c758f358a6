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

interface SiteTab {
  id: string;
  label: string;
  panel: ReactNode;
}

export const toOverviewTab = (panel: ReactNode): SiteTab => ({ id: 'geral', label: messages.overview, panel });

export const toPublishingTabs = (site: SiteInput): SiteTab[] => [
  { id: 'versoes', label: messages.versions, panel: <VersionsTab site={site} /> },
  { id: 'regras', label: messages.rules, panel: <HostPolicyTab site={site} /> },
];

export const toDomainsTab = (site: SiteInput): SiteTab => ({
  id: 'dominios',
  label: messages.domains,
  panel: <DomainsTab site={site} />,
});

export const toRequestsTab = (panel: ReactNode): SiteTab => ({ id: 'requisicoes', label: messages.requests, panel });

interface SiteTabsProps {
  /** Names the row of tabs for screen readers. */
  label: string;
  tabs: readonly [SiteTab, ...SiteTab[]];
  onShow?: () => void;
}

/** The tabs of the page of a site. The current tab is in the URL (`?aba=`). Default: the first tab. */
export function SiteTabs({ label, tabs, onShow }: SiteTabsProps) {
  const { requestedTab, show } = useTabParam();
  const { id: current, panel } = tabs.find(({ id }) => id === requestedTab) ?? tabs[0];
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
