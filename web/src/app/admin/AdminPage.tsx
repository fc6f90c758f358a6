import { Overview } from '../../features/overview/Overview';
import { SubdomainsPage } from '../../features/subdomains/SubdomainsPage';
import { subdomainsMessages } from '../../features/subdomains/subdomains.messages';
import { brand } from '../../lib/brand';

export const meta = () => [{ title: `${subdomainsMessages.title} · ${brand()}` }];

/** `/admin`: the overview, then the subdomains. */
export default function AdminPage() {
  return <SubdomainsPage overview={<Overview />} />;
}
