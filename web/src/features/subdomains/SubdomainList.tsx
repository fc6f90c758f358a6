import { Button } from '@chakra-ui/react';
import { Pencil, Trash2 } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
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

/** Calls back while its place is within 200 px below the window (product-spec §9). */
function Sentinel({ onNear }: { onNear: () => void }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) onNear();
      },
      { rootMargin: '0px 0px 200px 0px' },
    );
    if (place.current) observer.observe(place.current);
    return () => observer.disconnect();
  }, [onNear]);
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
