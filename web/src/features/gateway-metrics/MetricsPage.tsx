import { Activity } from 'lucide-react';
import { Link } from 'react-router';
import { paths } from '../../app/paths';
import { brand } from '../../lib/brand';
import { useShowRequests } from '../../lib/useShowRequests';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { QueryState } from '../../ui/feedback/QueryState';
import { Button } from '../../ui/form/Button';
import { Page } from '../../ui/layout/Page';
import type { Column } from '../../ui/list/column';
import { DataList } from '../../ui/list/DataList';
import { ListRows } from '../../ui/list/ListQueryView';
import { dateTime } from '../../ui/list/RelativeTime';
import { useListQuery } from '../../ui/list/useListQuery';
import { metricsMessages as messages } from './gateway-metrics.messages';
import { type KeyUsageQuery, useKeyUsageQuery } from './generated/gateway-metrics';
import styles from './metrics.module.css';
import { UsageHistory } from './UsageHistory';

export const meta = () => [{ title: `${messages.title} · ${brand()}` }];

type KeyUsage = KeyUsageQuery['apiKeys'][number];

const POLL_INTERVAL_MS = 15_000;
/** Refetches while the page is visible. */
const polling = { pollInterval: POLL_INTERVAL_MS, skipPollAttempt: () => document.hidden };
const number = new Intl.NumberFormat('pt-BR');
const rowsOf = ({ apiKeys }: KeyUsageQuery) => apiKeys;
const textOf = ({ name }: KeyUsage) => name;

const columns: Column<KeyUsage>[] = [
  {
    id: 'name',
    header: messages.table.columns.name,
    heading: true,
    cell: ({ name }) => name,
    sort: ({ name }) => name,
  },
  {
    id: 'usageCount',
    header: messages.table.columns.usage,
    width: '25%',
    short: true,
    numeric: true,
    cell: ({ usageCount }) => number.format(usageCount),
    sort: ({ usageCount }) => usageCount,
  },
  {
    id: 'lastUsedAt',
    header: messages.table.columns.lastUsed,
    width: '35%',
    short: true,
    cell: ({ lastUsedAt }) =>
      lastUsedAt ? <time dateTime={lastUsedAt}>{dateTime(lastUsedAt)}</time> : messages.table.never,
    sort: ({ lastUsedAt }) => lastUsedAt ?? null,
  },
];

function Cards({ keys }: { keys: readonly KeyUsage[] }) {
  const total = keys.reduce((sum, { usageCount }) => sum + usageCount, 0);
  // The core sorts keys by usage, the most used first.
  const [busiest] = keys;
  const cards = [
    [messages.cards.total, number.format(total)],
    [messages.cards.active, number.format(keys.length)],
    [messages.cards.mostActive, busiest && busiest.usageCount > 0 ? busiest.name : messages.cards.none],
  ] as const;
  return (
    <dl className={styles.cards}>
      {cards.map(([label, value]) => (
        <div key={label} className={styles.card}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** `/gateway/metrics`: usage per key, now and over time. */
export default function MetricsPage() {
  const {
    all: keys,
    list,
    state,
  } = useListQuery(useKeyUsageQuery({ fetchPolicy: 'no-cache', ...polling }), {
    rowsOf,
    columns,
    textOf,
    fallback: messages.failure.load,
  });

  const showRequests = useShowRequests();

  return (
    <Page
      title={messages.title}
      subtitle={messages.subtitle}
      action={
        <Button variant="outline" onClick={() => showRequests('todas')}>
          <Activity aria-hidden />
          {messages.requests}
        </Button>
      }
    >
      <QueryState {...state}>
        <Cards keys={keys} />
        <UsageHistory {...polling} />
        <section className={styles.section}>
          <h2>{messages.table.title}</h2>
          <ListRows
            list={list}
            searchLabel={messages.table.search}
            empty={
              <EmptyState
                text={messages.table.empty}
                action={<Link to={paths.gatewayKeys}>{messages.table.emptyAction}</Link>}
              />
            }
          >
            <DataList list={list} label={messages.table.title} rowKey={({ _id }) => _id} headingLevel={3} />
          </ListRows>
        </section>
      </QueryState>
    </Page>
  );
}
