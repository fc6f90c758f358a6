import { Button } from '@chakra-ui/react';
import { Pencil, Trash2 } from 'lucide-react';
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import type { SubdomainType } from '../../generated/graph';
import { Chip, type ChipColor } from '../../ui/Chip';
import { CopyButton } from '../../ui/CopyButton';
import type { Column } from '../../ui/columns';
import { DataList } from '../../ui/DataList';
import { EmptyState } from '../../ui/EmptyState';
import { siteHost, siteUrl } from '../../ui/host';
import { ListState } from '../../ui/ListState';
import { RowAction } from '../../ui/RowAction';
import { SearchField } from '../../ui/SearchField';
import { RelativeTime } from '../../ui/Time';
import type { SubdomainRowFragment } from './generated/subdomains';
import { subdomainsMessages } from './subdomains.messages';
import styles from './subdomains.module.css';
import type { useSubdomainPages } from './useSubdomainPages';

const messages = subdomainsMessages.list;
const COLORS: Record<SubdomainType, ChipColor> = { proxy: 'blue', static: 'green', tunnel: 'purple' };

function target({ type, port, staticPath, apiPort, targetHost, targetPort }: SubdomainRowFragment): string {
  if (type === 'tunnel') return `${targetHost}:${targetPort}`;
  if (type === 'proxy') return messages.port(port ?? 0);
  return apiPort ? messages.withApi(staticPath ?? '', apiPort) : (staticPath ?? '');
}

const columns: Column<SubdomainRowFragment>[] = [
  {
    id: 'address',
    header: messages.columns.address,
    heading: true,
    width: '27%',
    cell: ({ subdomain }) => {
      const host = siteHost(subdomain);
      return (
        <span className={styles.address}>
          <a href={siteUrl(host)} target="_blank" rel="noreferrer">
            {host}
          </a>
          <CopyButton text={siteUrl(host)} label={messages.copy(host)} />
        </span>
      );
    },
  },
  { id: 'description', header: messages.columns.description, cell: ({ description }) => description },
  {
    id: 'type',
    header: messages.columns.type,
    width: '104px',
    cell: ({ type }) => <Chip color={COLORS[type]}>{messages.types[type]}</Chip>,
  },
  { id: 'target', header: messages.columns.target, width: '20%', cell: target },
  {
    id: 'created',
    header: messages.columns.created,
    width: '128px',
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
  },
];

/** Pixels below the window (product-spec §9). */
const NEAR = 200;

/**
 * Calls back once its place is near the window. Measured, since Chromium's IntersectionObserver misses a place that
 * comes near while the rows above it change.
 */
function Sentinel({ onNear }: { onNear: () => void }) {
  const place = useRef<HTMLDivElement>(null);
  const near = useEffectEvent(onNear);
  useEffect(() => {
    const over = new AbortController();
    const { signal } = over;
    const check = () => {
      if (signal.aborted || !place.current) return;
      if (place.current.getBoundingClientRect().top > window.innerHeight + NEAR) return;
      over.abort();
      near();
    };
    window.addEventListener('scroll', check, { passive: true, signal });
    window.addEventListener('resize', check, { signal });
    // Calls at once, too.
    const height = new ResizeObserver(check);
    height.observe(document.body);
    signal.addEventListener('abort', () => height.disconnect());
    return () => over.abort();
  }, []);
  return <div ref={place} />;
}

interface SubdomainListProps {
  pages: ReturnType<typeof useSubdomainPages>;
  query: string;
  setQuery: (query: string) => void;
  onEdit: (subdomain: string) => void;
  onRemove: (subdomain: string) => void;
  emptyAction: ReactNode;
}

/** What exists: grows while one scrolls, and by a button for those who do not. */
export function SubdomainList({ pages, query, setQuery, onEdit, onRemove, emptyAction }: SubdomainListProps) {
  const { rows, total, loading, failure, complete, loadMore, reload } = pages;
  const list = { columns, rows, total: total ?? 0, query, setQuery, sort: null, setSort: () => undefined };
  const more = total !== null && !complete;
  return (
    <section aria-labelledby="current" className={styles.list}>
      <div className={styles.listHeader}>
        <h2 id="current">{messages.title}</h2>
        <SearchField label={messages.search} value={query} onChange={setQuery} />
      </div>
      <ListState
        ready={total !== null}
        loading={loading}
        failure={failure}
        onRetry={rows.length > 0 && more ? loadMore : reload}
      >
        {total === 0 && !query ? (
          <EmptyState text={messages.empty} action={emptyAction} />
        ) : (
          <DataList
            list={list}
            label={messages.title}
            rowKey={({ subdomain }) => subdomain}
            headingLevel={3}
            actions={({ subdomain }) => (
              <>
                <RowAction
                  label={messages.edit}
                  of={subdomain}
                  icon={<Pencil aria-hidden />}
                  onClick={() => onEdit(subdomain)}
                />
                <RowAction
                  label={messages.remove}
                  of={subdomain}
                  icon={<Trash2 aria-hidden />}
                  danger
                  onClick={() => onRemove(subdomain)}
                />
              </>
            )}
          />
        )}
        {more && !loading && !failure && <Sentinel key={rows.length} onNear={loadMore} />}
        <div className={styles.more}>
          <p role="status">{total ? messages.loaded(rows.length, total) : ''}</p>
          {more && (
            <Button variant="outline" size="sm" onClick={loadMore} aria-busy={loading || undefined}>
              {messages.loadMore}
            </Button>
          )}
        </div>
      </ListState>
    </section>
  );
}
