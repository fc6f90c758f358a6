import { useRef } from 'react';
import { OverviewDocument } from '../../features/overview/generated/overview';
import { Overview } from '../../features/overview/Overview';
import { SubdomainsDocument } from '../../features/subdomains/generated/subdomains';
import { readFilter, toFirstPage } from '../../features/subdomains/list/useSubdomains';
import { SubdomainsPage } from '../../features/subdomains/SubdomainsPage';
import { subdomainsMessages } from '../../features/subdomains/subdomains.messages';
import { prefetchQuery, revalidateNever } from '../../lib/graphql/query/preloadQuery';
import { getBrand } from '../../lib/page/brand';
import type { Route } from './+types/AdminPage';

export const meta = () => [{ title: `${subdomainsMessages.title} · ${getBrand()}` }];

/** Longest time that the navigation waits for the overview, which is slow because it counts all hosts. */
const OVERVIEW_WAIT_MS = 100;

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  await Promise.all([
    prefetchQuery(OverviewDocument, {}, OVERVIEW_WAIT_MS),
    prefetchQuery(SubdomainsDocument, toFirstPage(readFilter(new URL(request.url).searchParams))),
  ]);
  return null;
}

export const shouldRevalidate = revalidateNever;

/** `/admin`: the overview, then the subdomains. */
export default function AdminPage() {
  const wizard = useRef<Pick<HTMLElement, 'focus'>>(null);
  return <SubdomainsPage wizard={wizard} overview={<Overview onCreateSubdomain={() => wizard.current?.focus()} />} />;
}
