import { Button, chakra, SimpleGrid } from '@chakra-ui/react';
import { ScrollText } from 'lucide-react';
import type { ApiKeySort } from '../../generated/graph';
import { useKeyUsage } from '../../lib/gateway/useKeyUsage';
import { ALL_OR_FIRST_PAGE } from '../../lib/graphql/query/longLists';
import { POLL_INTERVAL_MS } from '../../lib/graphql/query/polling';
import { getBrand } from '../../lib/page/brand';
import { paths } from '../../lib/routing/paths';
import { useShowRequests } from '../../lib/routing/useShowRequests';
import { TextLink } from '../../shared/links/TextLink';
import { useLongListQuery } from '../../shared/list/useLongListQuery';
import { type ListRequest, toOrder } from '../../shared/list/usePagedList';
import { formatDateTime } from '../../ui/cells/RelativeTime';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { QueryState } from '../../ui/feedback/QueryState';
import { Page, SectionHeading } from '../../ui/layout/Page';
import type { Column } from '../../ui/list/column';
import { ListRows } from '../../ui/list/ListQueryView';
import { formatCount } from './format';
import { metricsMessages as messages } from './gateway-metrics.messages';
import { KeyUsageDocument, type KeyUsageRowFragment, useKeyUsageQuery } from './generated/gateway-metrics';
import { UsageHistory } from './UsageHistory';

export const meta = () => [{ title: `${messages.title} · ${getBrand()}` }];

const toSearchText = ({ name }: KeyUsageRowFragment) => name;
const SORTS = ['name', 'usageCount', 'lastUsedAt'] as const satisfies ApiKeySort[];
const MOST_USED = { sortBy: 'usageCount', order: 'desc' } as const;
const toVariables = ({ search, sort }: ListRequest) => ({
  search,
  ...(sort ? { sortBy: SORTS.find((column) => column === sort.column), order: toOrder({ sort }) } : MOST_USED),
});

/** The name and the prefix of a key, because several keys may have the same name. */
const KeyName = ({ name, prefix }: Pick<KeyUsageRowFragment, 'name' | 'prefix'>) => (
  <>
    {name} {prefix && <code>{prefix}…</code>}
  </>
);

const columns: Column<KeyUsageRowFragment>[] = [
  {
    id: 'name',
    header: messages.table.columns.name,
    isHeading: true,
    cell: KeyName,
    sort: ({ name }) => name,
  },
  {
    id: 'usageCount',
    header: messages.table.columns.usage,
    width: '25%',
    isNumeric: true,
    cell: ({ usageCount }) => formatCount(usageCount),
    sort: ({ usageCount }) => usageCount,
  },
  {
    id: 'lastUsedAt',
    header: messages.table.columns.lastUsed,
    width: '35%',
    cell: ({ lastUsedAt }) =>
      lastUsedAt ? <time dateTime={lastUsedAt}>{formatDateTime(lastUsedAt)}</time> : messages.table.never,
    sort: ({ lastUsedAt }) => lastUsedAt ?? null,
  },
];

/** Sums over all keys. @param isPaged if true, `keys` has only the loaded pages, and the server computes the sums */
function Cards({ keys, total, isPaged }: { keys: readonly KeyUsageRowFragment[]; total: number; isPaged: boolean }) {
  const { usageCount, mostUsed } = useKeyUsage(keys, isPaged, POLL_INTERVAL_MS);
  const namesakes = keys.filter(({ name }) => name === mostUsed?.name);
  const ambiguousKey = namesakes.length > 1 && namesakes.find(({ _id }) => _id === mostUsed?._id);
  const mostActive = ambiguousKey ? <KeyName {...ambiguousKey} /> : (mostUsed?.name ?? messages.cards.none);
  const cards = [
    [messages.cards.total, formatCount(usageCount)],
    [messages.cards.active, formatCount(total)],
    [messages.cards.mostActive, mostActive],
  ] as const;
  return (
    <SimpleGrid as="dl" columns={{ md: 3 }} gap="4">
      {cards.map(([label, value]) => (
        <chakra.div key={label} layerStyle="panel" py="4" px="5">
          <chakra.dt color="fg.muted">{label}</chakra.dt>
          <chakra.dd mt="1" fontSize="28px" lineHeight="34px" fontWeight="semibold" overflowWrap="anywhere">
            {value}
          </chakra.dd>
        </chakra.div>
      ))}
    </SimpleGrid>
  );
}

/** `/gateway/metrics`: the sums of all keys, the usage over time, and the usage of each key. */
export default function MetricsPage() {
  const variables = { ...ALL_OR_FIRST_PAGE, ...MOST_USED };
  const result = useKeyUsageQuery({ variables, pollInterval: POLL_INTERVAL_MS });
  const keys = useLongListQuery(result, {
    document: KeyUsageDocument,
    toVariables,
    columns,
    toSearchText,
    failureMessage: messages.failure.load,
  });
  const showRequests = useShowRequests();

  return (
    <Page
      title={messages.title}
      subtitle={messages.subtitle}
      action={
        <Button variant="outline" onClick={() => showRequests('todas')}>
          <ScrollText aria-hidden />
          {messages.requests}
        </Button>
      }
    >
      <QueryState {...keys.state}>
        <Cards keys={keys.loadedRows} total={keys.list.total} isPaged={keys.isPaged} />
        <UsageHistory />
        <SectionHeading title={messages.table.title} />
        <ListRows
          list={keys.list}
          nouns={messages.table.nouns}
          empty={
            <EmptyState
              text={messages.table.empty}
              action={<TextLink to={paths.gatewayKeys}>{messages.table.emptyAction}</TextLink>}
            />
          }
          label={messages.table.title}
          headingLevel={3}
        />
      </QueryState>
    </Page>
  );
}
