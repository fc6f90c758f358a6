import { type ReactNode, useMemo } from 'react';
import type { SubdomainType } from '../../generated/graph';
import { siteHost, siteUrl } from '../../lib/host';
import type { useSearchText } from '../../lib/useSearchText';
import { useShowRequests } from '../../lib/useShowRequests';
import { EmptyState, NoMatch } from '../../ui/feedback/EmptyState';
import { QueryState } from '../../ui/feedback/QueryState';
import { Button } from '../../ui/form/Button';
import { Chip, type ChipColor } from '../../ui/list/Chip';
import { Clamped } from '../../ui/list/Clamped';
import { CopyableText } from '../../ui/list/CopyableText';
import { CopyButton } from '../../ui/list/CopyButton';
import type { Column } from '../../ui/list/column';
import { DataList } from '../../ui/list/DataList';
import { HealthBadge } from '../../ui/list/HealthBadge';
import { ListFooter } from '../../ui/list/ListFooter';
import { RelativeTime } from '../../ui/list/RelativeTime';
import { EditAction, RemoveAction, RequestsAction } from '../../ui/list/RowAction';
import { SearchField } from '../../ui/list/SearchField';
import { FolderPath } from './FolderPath';
import { type SubdomainRowFragment, useCheckSubdomainMutation } from './generated/subdomains';
import { Sentinel } from './Sentinel';
import { subdomainsMessages } from './subdomains.messages';
import styles from './subdomains.module.css';
import type { useSubdomainPages } from './useSubdomainPages';

const messages = subdomainsMessages.list;
const COLORS: Record<SubdomainType, ChipColor> = { proxy: 'blue', static: 'green', tunnel: 'purple' };

function target({ type, port, staticPath, apiPort, targetHost, targetPort }: SubdomainRowFragment): string {
  if (type === 'tunnel') return `${targetHost}:${targetPort}`;
  if (type === 'proxy') return messages.port(port ?? 0);
  return apiPort ? `${staticPath} · ${messages.api(apiPort)}` : (staticPath ?? '');
}

/** @param check checks the target of a subdomain now */
const columnsOf = (check: (subdomain: string) => Promise<unknown>): Column<SubdomainRowFragment>[] => [
  {
    id: 'address',
    header: messages.columns.address,
    heading: true,
    width: '26%',
    cell: (row) => {
      const host = siteHost(row.subdomain);
      return (
        <span className={styles.stack}>
          <span className={styles.address}>
            <a href={siteUrl(host)} target="_blank" rel="noreferrer">
              {host}
            </a>
            <CopyButton text={siteUrl(host)} label={messages.copy(host)} />
          </span>
          <HealthBadge
            name={row.subdomain}
            paused={row.paused}
            health={row.health}
            onCheck={() => check(row.subdomain)}
            fallback={subdomainsMessages.failure.check}
          />
        </span>
      );
    },
  },
  {
    id: 'description',
    share: 2,
    header: messages.columns.description,
    cell: ({ description }) => <Clamped text={description} />,
  },
  {
    id: 'type',
    header: messages.columns.type,
    width: '104px',
    cell: ({ type }) => <Chip color={COLORS[type]}>{messages.types[type]}</Chip>,
  },
  {
    id: 'target',
    header: messages.columns.target,
    width: 'max(176px, 16vw)',
    cell: (row) => (
      <CopyableText text={target(row)} label={messages.copyTarget(row.subdomain)}>
        {row.type === 'static' && row.staticPath ? (
          <FolderPath path={row.staticPath} apiPort={row.apiPort} />
        ) : (
          target(row)
        )}
      </CopyableText>
    ),
  },
  {
    id: 'created',
    header: messages.columns.created,
    width: '116px',
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
  },
];

interface SubdomainListProps {
  pages: ReturnType<typeof useSubdomainPages>;
  search: ReturnType<typeof useSearchText>;
  onEdit: (subdomain: string) => void;
  onRemove: (subdomain: string) => void;
  emptyAction: ReactNode;
}

/** What exists: grows while one scrolls, and by a button for those who do not. */
export function SubdomainList({ pages, search: [text, setText], onEdit, onRemove, emptyAction }: SubdomainListProps) {
  const { search: searched, rows, total, loading, failure, complete, loadMore, reload } = pages;
  const { replace } = pages;
  const [check] = useCheckSubdomainMutation({ fetchPolicy: 'no-cache' });
  const columns = useMemo(
    () =>
      columnsOf(async (subdomain) => {
        const { data } = await check({ variables: { subdomain } });
        if (data) replace(data.checkSubdomain);
      }),
    [check, replace],
  );
  const showRequests = useShowRequests();
  const hasMore = total !== null && !complete;
  return (
    <section aria-labelledby="current" className={styles.list}>
      <div className={styles.listHeader}>
        <h2 id="current">{messages.title}</h2>
        <SearchField label={messages.search} value={text} onChange={setText} />
      </div>
      <QueryState
        ready={total !== null}
        loading={loading}
        failure={failure}
        onRetry={rows.length > 0 && hasMore ? loadMore : reload}
      >
        {total === 0 && !searched && <EmptyState text={messages.empty} action={emptyAction} />}
        {rows.length === 0 && searched && <NoMatch search={searched} onClear={() => setText('')} />}
        {rows.length > 0 && (
          <DataList
            list={{ columns, rows }}
            label={messages.title}
            rowKey={({ subdomain }) => subdomain}
            headingLevel={3}
            actionsWidth="252px"
            actions={({ _id, subdomain }) => (
              <>
                <RequestsAction of={subdomain} onClick={() => showRequests('subdominio', _id, siteHost(subdomain))} />
                <EditAction label={messages.edit} of={subdomain} onClick={() => onEdit(subdomain)} />
                <RemoveAction label={messages.remove} of={subdomain} onClick={() => onRemove(subdomain)} />
              </>
            )}
          />
        )}
        {hasMore && !loading && !failure && <Sentinel key={rows.length} onNear={loadMore} />}
        <ListFooter>
          <p role="status">{total ? messages.loaded(rows.length, total) : ''}</p>
          {hasMore && (
            <Button variant="outline" size="sm" onClick={loadMore} aria-busy={loading || undefined}>
              {messages.loadMore}
            </Button>
          )}
        </ListFooter>
      </QueryState>
    </section>
  );
}
