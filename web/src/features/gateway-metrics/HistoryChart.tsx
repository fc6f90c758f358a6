import type { UsageRange } from '../../generated/graph';
import { useWideScreen } from '../../ui/useMediaQuery';
import { metricsMessages } from './gateway-metrics.messages';
import { axisTop, bucketLabel, bucketTitle, type HistoryPoint } from './history';
import styles from './metrics.module.css';

const { history: messages } = metricsMessages;
const number = new Intl.NumberFormat('pt-BR');
const milliseconds = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 1 });

const HEIGHT = 220;
const TOP = 8;
const BOTTOM = 24;
const LEFT = 48;
const LINES = [0, 0.5, 1];

/** Requests as bars with the errors in them, and the same as a table for who does not see bars. */
export function HistoryChart({ points, range }: { points: readonly HistoryPoint[]; range: UsageRange }) {
  const wide = useWideScreen();
  const width = wide ? 1136 : 312;
  const sum = (field: 'requests' | 'errors') => points.reduce((total, point) => total + point[field], 0);
  const [requests, errors] = [number.format(sum('requests')), number.format(sum('errors'))];
  const top = axisTop(Math.max(...points.map((point) => point.requests), 0));
  const plot = HEIGHT - TOP - BOTTOM;
  const step = (width - LEFT) / Math.max(points.length, 1);
  const bar = Math.max(1, step * 0.7);
  const y = (value: number) => TOP + plot - (value / top) * plot;
  const every = Math.ceil(points.length / (wide ? 8 : 3));

  return (
    <div className={styles.chart}>
      <ul className={styles.legend}>
        <li>
          <span className={styles.swatch} />
          {messages.requests} <strong>{requests}</strong>
        </li>
        <li>
          <span className={styles.swatch} data-kind="errors" />
          {messages.errors} <strong>{errors}</strong>
        </li>
      </ul>
      <svg viewBox={`0 0 ${width} ${HEIGHT}`} role="img" aria-label={messages.chart(requests, errors)}>
        {LINES.map((share) => (
          <g key={share}>
            <line className={styles.grid} x1={LEFT} x2={width} y1={y(top * share)} y2={y(top * share)} />
            <text className={styles.axis} x={LEFT - 8} y={y(top * share) + 4} textAnchor="end">
              {number.format(top * share)}
            </text>
          </g>
        ))}
        {points.map((point, index) => {
          const x = LEFT + index * step + (step - bar) / 2;
          return (
            <g key={point.at}>
              <title>{`${bucketTitle(point.at)}: ${number.format(point.requests)}`}</title>
              <rect
                className={styles.requests}
                x={x}
                width={bar}
                y={y(point.requests)}
                height={y(0) - y(point.requests)}
              />
              <rect className={styles.errors} x={x} width={bar} y={y(point.errors)} height={y(0) - y(point.errors)} />
              {index % every === 0 && (
                <text className={styles.axis} x={x} y={HEIGHT - 6}>
                  {bucketLabel(point.at, range)}
                </text>
              )}
            </g>
          );
        })}
      </svg>
      <details className={styles.numbers}>
        <summary>{messages.showTable}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
        <section tabIndex={0} aria-label={messages.title}>
          <table>
            <thead>
              <tr>
                <th scope="col">{messages.time}</th>
                <th scope="col">{messages.requests}</th>
                <th scope="col">{messages.errors}</th>
                <th scope="col">{messages.average}</th>
              </tr>
            </thead>
            <tbody>
              {points
                .filter((point) => point.requests > 0 || point.errors > 0)
                .map((point) => (
                  <tr key={point.at}>
                    <td>{bucketTitle(point.at)}</td>
                    <td>{number.format(point.requests)}</td>
                    <td>{number.format(point.errors)}</td>
                    <td>
                      {point.averageMs == null
                        ? metricsMessages.cards.none
                        : messages.milliseconds(milliseconds.format(point.averageMs))}
                    </td>
                  </tr>
                ))}
            </tbody>
          </table>
        </section>
      </details>
    </div>
  );
}
