import { Overview } from '../../features/overview/Overview';
import { preloadOverview } from '../../features/overview/preloadOverview';
import { SubdomainsPage } from '../../features/subdomains/SubdomainsPage';
import { subdomainsMessages } from '../../features/subdomains/subdomains.messages';
import { filterOf, preloadSubdomains } from '../../features/subdomains/useSubdomains';
import { brand } from '../../lib/brand';
import { onlyOnEntry } from '../../lib/preloadQuery';

export const meta = () => [{ title: `${subdomainsMessages.title} · ${brand()}` }];

export function clientLoader({ request }: { request: Request }) {
  preloadSubdomains(filterOf(new URL(request.url).searchParams));
  preloadOverview();
  return null;
}

export const shouldRevalidate = onlyOnEntry;

/** `/admin`: the overview, then the subdomains. */
export default function AdminPage() {
  return <SubdomainsPage overview={<Overview />} />;
}
