import { useApolloClient } from '@apollo/client/react';
import { chakra, Flex } from '@chakra-ui/react';
import { Download } from 'lucide-react';
import { downloadCsv } from '../../lib/format/csv';
import { POLL_INTERVAL_MS } from '../../lib/graphql/query/polling';
import { useQueryState } from '../../lib/graphql/query/useQueryState';
import { useSearchParamsState } from '../../lib/routing/useSearchParamsState';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { QueryState } from '../../ui/feedback/QueryState';
import { SubmitButton } from '../../ui/form/Form';
import { SelectField } from '../../ui/form/fields/SelectField';
import { useAction } from '../../ui/form/useAction';
import { ActiveFilter } from '../../ui/list/toolbar/ActiveFilter';
import { countRequests } from './chart';
import { metricsMessages } from './gateway-metrics.messages';
import { MetricsCsvDocument, useMetricsQuery } from './generated/gateway-metrics';
import { rangeNames, readMetricsParams, subjectNames } from './metricsParams';
import { SubjectTable } from './SubjectTable';
import { Refusals, Totals } from './Totals';
import { UsageChart } from './UsageChart';

const { history: messages, failure } = metricsMessages;

/** From 768 px the selects stand beside the heading, and each label stands before its select. */
const controlsCss = {
  '& > div': { flex: { base: '1 1 120px', md: 'none' }, display: { md: 'flex' }, alignItems: { md: 'center' } },
  '& select': { minWidth: { md: '160px' } },
};

/** Fields for the range and the grouping, which are in the URL, and a button that downloads the history as CSV. */
function HistoryControls() {
  const client = useApolloClient();
  const { params, update } = useSearchParamsState();
  const { range, rangeName, by, subjectName } = readMetricsParams(params);
  const exporting = useAction({
    failureMessage: failure.csv,
    send: async () => {
      // A file is downloaded once, so it is not cached.
      const options = { query: MetricsCsvDocument, variables: { range, by }, fetchPolicy: 'no-cache' } as const;
      const { data } = await client.query(options);
      if (data) downloadCsv(messages.file(subjectName, rangeName), data.gatewayMetricsCsv);
    },
  });
  return (
    <Flex
      wrap={{ base: 'wrap', md: 'nowrap' }}
      align="end"
      gap="3"
      width={{ base: '100%', md: 'auto' }}
      css={controlsCss}
    >
      <SelectField
        label={messages.range}
        value={rangeName}
        options={rangeNames.map((value) => ({ value, label: messages.ranges[value] ?? value }))}
        onChange={(name) => update({ periodo: name })}
      />
      <SelectField
        label={messages.by}
        value={subjectName}
        options={subjectNames.map((value) => ({ value, label: messages.subjects[value]?.choice ?? value }))}
        onChange={(name) => update({ por: name })}
      />
      <SubmitButton variant="outline" action={exporting} icon={<Download aria-hidden />}>
        {messages.download}
      </SubmitButton>
    </Flex>
  );
}

/** The gateway's metrics over time, of all requests or of one subject. Range, grouping and filter are in the URL. */
export function UsageHistory() {
  const { params, update } = useSearchParamsState();
  const { range, by, subjectName, filter } = readMetricsParams(params);
  const { data, state } = useQueryState(
    useMetricsQuery({
      variables: { range, by, ...(filter && { [filter.by]: filter.id }) },
      pollInterval: POLL_INTERVAL_MS,
    }),
    { failureMessage: failure.history },
  );
  const metrics = data?.gatewayMetrics;
  const filterName = metrics?.subjects.find(({ id }) => id === filter?.id)?.name;

  return (
    <chakra.section mt="10">
      <Flex
        as="header"
        wrap="wrap"
        align={{ base: 'end', md: 'center' }}
        justify="space-between"
        rowGap="3"
        columnGap="6"
        mb="4"
      >
        <chakra.h2 textStyle="lg">{messages.title}</chakra.h2>
        <HistoryControls />
      </Flex>
      {filter && (
        <ActiveFilter
          text={filterName ? messages.only(filterName) : messages.onlyOne}
          label={messages.all}
          onClear={() => update({ de: null })}
        />
      )}
      <QueryState {...state}>
        {metrics &&
          (countRequests(metrics.totals) > 0 ? (
            <chakra.div layerStyle="panel" py="4" px="5">
              <Totals totals={metrics.totals} />
              <UsageChart points={metrics.points} totals={metrics.totals} range={metrics.range} />
              <Refusals refusals={metrics.refusals} />
            </chakra.div>
          ) : (
            <EmptyState text={messages.empty} />
          ))}
        {metrics && metrics.subjects.length > 0 && (
          <>
            <chakra.h3 textStyle="md" mt="6" mb="2">
              {messages.subjects[subjectName]?.title}
            </chakra.h3>
            <SubjectTable
              subjects={metrics.subjects}
              label={messages.subjects[subjectName]?.title ?? ''}
              header={messages.subjects[subjectName]?.choice ?? ''}
              onSelect={(id) => update({ de: `${subjectName}-${id}` })}
            />
          </>
        )}
      </QueryState>
    </chakra.section>
  );
}
