import { chakra, Flex, Grid } from '@chakra-ui/react';
import { describeRefusal } from '../../lib/gateway/refusal.messages';
import { outcomeColors, outcomes } from './chart';
import { formatCount, formatOptionalDuration } from './format';
import { metricsMessages } from './gateway-metrics.messages';
import type { MetricsQuery } from './generated/gateway-metrics';

const { history: messages } = metricsMessages;
type Metrics = MetricsQuery['gatewayMetrics'];

const Term = chakra('dt', {
  base: { display: 'flex', alignItems: 'center', gap: '2', color: 'fg.muted', fontSize: '13px' },
});
const Value = chakra('dd', {
  base: { textStyle: 'lg', fontWeight: 'semibold', fontVariantNumeric: 'tabular-nums' },
});
/** On a small screen the first duration begins a line. On a large screen the durations are at the end of the line. */
const firstDurationStyle = { gridColumnStart: '1', ms: { lg: 'auto' } } as const;

/** Outcomes and durations of the requests in the range. The outcomes are also the legend of the chart. */
export function Totals({ totals }: Pick<Metrics, 'totals'>) {
  const durations = [
    [messages.p50, totals.p50Ms],
    [messages.p95, totals.p95Ms],
    [messages.p99, totals.p99Ms],
  ] as const;
  return (
    <Flex
      as="dl"
      display={{ base: 'grid', md: 'flex' }}
      gridTemplateColumns="repeat(3, minmax(0, 1fr))"
      wrap="wrap"
      gap={{ base: '12px', md: '12px 32px' }}
      mb="4"
    >
      {outcomes.map((outcome) => (
        <div key={outcome}>
          <Term>
            <chakra.span boxSize="10px" borderRadius="xs" bg={outcomeColors[outcome]} />
            {messages.outcomes[outcome]}
          </Term>
          <Value>{formatCount(totals[outcome])}</Value>
        </div>
      ))}
      {durations.map(([label, ms], index) => (
        <chakra.div key={label} {...(index === 0 && firstDurationStyle)}>
          <Term title={messages.percentile}>{label}</Term>
          <Value>{formatOptionalDuration(ms)}</Value>
        </chakra.div>
      ))}
    </Flex>
  );
}

/** Refusals by reason, the most frequent first. */
export function Refusals({ refusals }: Pick<Metrics, 'refusals'>) {
  const largest = Math.max(...refusals.map(({ count }) => count), 1);
  if (refusals.length === 0) return null;
  return (
    <chakra.div mt="5" pt="4" borderTopWidth="1px" borderColor="border">
      <chakra.h3 textStyle="md">{messages.refusals}</chakra.h3>
      <ol>
        {refusals.map(({ reason, count }) => (
          <Grid
            as="li"
            key={reason}
            templateColumns={{ base: 'minmax(0, 1fr) auto', md: 'minmax(0, 260px) minmax(0, 1fr) auto' }}
            alignItems="center"
            gap={{ base: '0 12px', md: '16px' }}
            py="1"
            fontVariantNumeric="tabular-nums"
          >
            <span>{describeRefusal(reason)}</span>
            <chakra.span aria-hidden gridArea={{ base: '2 / 1 / auto / -1', md: 'auto' }}>
              <chakra.span
                display="block"
                minW="2px"
                h="8px"
                borderRadius="xs"
                bg="border.input"
                style={{ width: `${(count / largest) * 100}%` }}
              />
            </chakra.span>
            <span>{formatCount(count)}</span>
          </Grid>
        ))}
      </ol>
    </chakra.div>
  );
}
