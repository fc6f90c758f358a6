import { refusalText } from '../../lib/refusal.messages';
import { outcomes } from './chart';
import { formatCount, formatDuration } from './format';
import { metricsMessages } from './gateway-metrics.messages';
import type { MetricsQuery } from './generated/gateway-metrics';
import styles from './metrics.module.css';

const { history: messages } = metricsMessages;
type Metrics = MetricsQuery['gatewayMetrics'];

/** Outcomes and latencies over the range; it is also the legend of the chart's colours. */
export function Totals({ totals }: Pick<Metrics, 'totals'>) {
  const durations = [
    [messages.p50, totals.p50Ms],
    [messages.p95, totals.p95Ms],
    [messages.p99, totals.p99Ms],
  ] as const;
  return (
    <dl className={styles.totals}>
      {outcomes.map((outcome) => (
        <div key={outcome}>
          <dt>
            <span className={styles.swatch} data-class={outcome} />
            {messages.classes[outcome]}
          </dt>
          <dd>{formatCount(totals[outcome])}</dd>
        </div>
      ))}
      {durations.map(([label, ms]) => (
        <div key={label} data-duration>
          <dt title={messages.percentile}>{label}</dt>
          <dd>{formatDuration(ms)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Refusals by reason, the most frequent first. */
export function Refusals({ refusals }: Pick<Metrics, 'refusals'>) {
  const largest = Math.max(...refusals.map(({ count }) => count), 1);
  if (refusals.length === 0) return null;
  return (
    <div className={styles.refusals}>
      <h3>{messages.refusals}</h3>
      <ol>
        {refusals.map(({ reason, count }) => (
          <li key={reason}>
            <span>{refusalText(reason)}</span>
            <span aria-hidden className={styles.share}>
              <span style={{ width: `${(count / largest) * 100}%` }} />
            </span>
            <span>{formatCount(count)}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}
