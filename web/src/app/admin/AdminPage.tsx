import { type ComponentType, lazy, Suspense } from 'react';
import { SubdomainsPage } from '../../features/subdomains/SubdomainsPage';
import { subdomainsMessages } from '../../features/subdomains/subdomains.messages';
import { filterOf, preloadSubdomains } from '../../features/subdomains/useSubdomains';
import { brand } from '../../lib/brand';
import { onlyOnEntry } from '../../lib/preloadQuery';
import styles from './admin.module.css';

export const meta = () => [{ title: `${subdomainsMessages.title} · ${brand()}` }];

export function clientLoader({ request }: { request: Request }) {
  preloadSubdomains(filterOf(new URL(request.url).searchParams));
  return null;
}

export const shouldRevalidate = onlyOnEntry;

const NoOverview = () => null;
/** Its query waits for an idle page anyway. Without a network its place stays empty. */
const Overview = lazy<ComponentType>(() =>
  import('../../features/overview/Overview').catch(() => ({ default: NoOverview })),
);

/** `/admin`: the overview, then the subdomains. */
export default function AdminPage() {
  return (
    <SubdomainsPage
      overview={
        <Suspense fallback={<div className={styles.overview} />}>
          <Overview />
        </Suspense>
      }
    />
  );
}
