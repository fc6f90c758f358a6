import { chakra } from '@chakra-ui/react';
import { Disclosure } from '../../ui/layout/Disclosure';
import { countRequests, formatBucketTitle, outcomes } from './chart';
import { formatCount, formatOptionalDuration } from './format';
import { metricsMessages } from './gateway-metrics.messages';
import type { MetricsQuery } from './generated/gateway-metrics';

const { history: messages } = metricsMessages;

const tableCss = {
  '& th, & td': { padding: '4px 12px 4px 0', textAlign: 'end' },
  '& tr > :first-child': { textAlign: 'start' },
  '& tbody th': { fontWeight: 'normal', whiteSpace: 'nowrap' },
  '& thead th': { color: 'fg.muted', fontWeight: 'medium' },
};

/** The chart's data as a table; buckets without requests are left out. */
export function PointsTable({ points }: { points: MetricsQuery['gatewayMetrics']['points'] }) {
  return (
    <Disclosure label={messages.showTable} mt="3">
      <chakra.section tabIndex={0} aria-label={messages.title} maxH="320px" mt="2" overflow="auto">
        <chakra.table width="100%" css={tableCss}>
          <thead>
            <tr>
              <th scope="col">{messages.time}</th>
              {outcomes.map((outcome) => (
                <th key={outcome} scope="col">
                  {messages.outcomes[outcome]}
                </th>
              ))}
              <th scope="col">{messages.p50}</th>
              <th scope="col">{messages.p95}</th>
              <th scope="col">{messages.p99}</th>
            </tr>
          </thead>
          <tbody>
            {points
              .filter(({ counts }) => countRequests(counts) > 0)
              .map(({ at, counts }) => (
                <tr key={at}>
                  <th scope="row">{formatBucketTitle(at)}</th>
                  {outcomes.map((outcome) => (
                    <td key={outcome}>{formatCount(counts[outcome])}</td>
                  ))}
                  <td>{formatOptionalDuration(counts.p50Ms)}</td>
                  <td>{formatOptionalDuration(counts.p95Ms)}</td>
                  <td>{formatOptionalDuration(counts.p99Ms)}</td>
                </tr>
              ))}
          </tbody>
        </chakra.table>
      </chakra.section>
    </Disclosure>
  );
}
