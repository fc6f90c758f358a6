import { Link } from 'react-router';
import { brand } from '../../ui/brand';
import type { Column } from '../../ui/columns';
import { DataList } from '../../ui/DataList';
import { EmptyState } from '../../ui/EmptyState';
import { failureText } from '../../ui/failure';
import { ListState } from '../../ui/ListState';
import { ListToolbar } from '../../ui/ListToolbar';
import { Page } from '../../ui/Page';
import { dateTime } from '../../ui/Time';
import { useList } from '../../ui/useList';
import { metricsMessages as messages } from './gateway-metrics.messages';
import { type KeyUsageQuery, useKeyUsageQuery } from './generated/gateway-metrics';
import { History } from './History';
import styles from './metrics.module.css';

export const meta = () => [{ title: `${messages.title} · ${brand()}` }];

type KeyUsage = KeyUsageQuery['apiKeys'][number];

/** Fresh figures while somebody looks. */
const polling = { pollInterval: 15_000, skipPollAttempt: () => document.hidden };
const number = new Intl.NumberFormat('pt-BR');
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
    cell: ({ usageCount }) => number.format(usageCount),
    sort: ({ usageCount }) => usageCount,
  },
  {
    id: 'lastUsedAt',
    header: messages.table.columns.lastUsed,
    width: '35%',
    cell: ({ lastUsedAt }) =>
      lastUsedAt ? <time dateTime={lastUsedAt}>{dateTime(lastUsedAt)}</time> : messages.table.never,
    sort: ({ lastUsedAt }) => lastUsedAt ?? null,
  },
];

function Cards({ keys }: { keys: readonly KeyUsage[] }) {
  const total = keys.reduce((sum, { usageCount }) => sum + usageCount, 0);
  // The list comes with the most used key first.
  const [busiest] = keys;
  const figures = [
    [messages.cards.total, number.format(total)],
    [messages.cards.active, number.format(keys.length)],
    [messages.cards.mostActive, busiest && busiest.usageCount > 0 ? busiest.name : messages.cards.none],
  ] as const;
  return (
    <dl className={styles.cards}>
      {figures.map(([label, value]) => (
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
    data: fresh,
    previousData,
    loading,
    error,
    refetch,
  } = useKeyUsageQuery({ fetchPolicy: 'no-cache', ...polling });
  const data = fresh ?? previousData;
  const keys = data?.apiKeys ?? [];
  const list = useList(keys, columns, textOf);

  return (
    <Page title={messages.title} subtitle={messages.subtitle}>
      <ListState
        ready={data !== undefined}
        loading={loading}
        failure={error ? failureText(error, messages.failure.load) : null}
        onRetry={() => void refetch().catch(() => undefined)}
      >
        <Cards keys={keys} />
        <section className={styles.section}>
          <h2>{messages.table.title}</h2>
          {keys.length === 0 ? (
            <EmptyState
              text={messages.table.empty}
              action={<Link to="/gateway/keys">{messages.table.emptyAction}</Link>}
            />
          ) : (
            <>
              <ListToolbar list={list} label={messages.table.search} />
              <DataList list={list} label={messages.table.title} rowKey={({ _id }) => _id} headingLevel={3} />
            </>
          )}
        </section>
        {keys.length > 0 && <History keys={keys} {...polling} />}
      </ListState>
    </Page>
  );
}
