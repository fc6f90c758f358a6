import { bucketTitle, outcomes, totalRequests } from './chart';
import { formatCount, formatDuration } from './format';
import { metricsMessages } from './gateway-metrics.messages';
import type { MetricsQuery } from './generated/gateway-metrics';
import styles from './metrics.module.css';

const { history: messages } = metricsMessages;

/** The chart's data as a table; buckets without requests are left out. */
export function PointsTable({ points }: { points: MetricsQuery['gatewayMetrics']['points'] }) {
  return (
    <details className={styles.numbers}>
      <summary data-chevron>{messages.showTable}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section tabIndex={0} aria-label={messages.title}>
        <table>
          <thead>
            <tr>
              <th scope="col">{messages.time}</th>
              {outcomes.map((outcome) => (
                <th key={outcome} scope="col">
                  {messages.classes[outcome]}
                </th>
              ))}
              <th scope="col">{messages.p50}</th>
              <th scope="col">{messages.p95}</th>
              <th scope="col">{messages.p99}</th>
            </tr>
          </thead>
          <tbody>
            {points
              .filter(({ counts }) => totalRequests(counts) > 0)
              .map(({ at, counts }) => (
                <tr key={at}>
                  <th scope="row">{bucketTitle(at)}</th>
                  {outcomes.map((outcome) => (
                    <td key={outcome}>{formatCount(counts[outcome])}</td>
                  ))}
                  <td>{formatDuration(counts.p50Ms)}</td>
                  <td>{formatDuration(counts.p95Ms)}</td>
                  <td>{formatDuration(counts.p99Ms)}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
