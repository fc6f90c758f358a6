import { chakra } from '@chakra-ui/react';
import type { MetricsRange } from '../../generated/graph';
import { useLargeScreen, useMediumScreen, useWideScreen } from '../../ui/layout/useWideScreen';
import {
  chooseAxisTop,
  computeLabelPosition,
  countRequests,
  formatBucketLabel,
  formatBucketTitle,
  outcomeColors,
  outcomes,
  selectLabelledBuckets,
} from './chart';
import { formatCount } from './format';
import { metricsMessages } from './gateway-metrics.messages';
import type { MetricsQuery } from './generated/gateway-metrics';
import { PointsTable } from './PointsTable';

const { history: messages } = metricsMessages;

const TOP = 8;
const BOTTOM = 24;
const LEFT = 48;
const GRID_LINES = [0, 0.5, 1];
const chartCss = {
  '& line': { stroke: 'border' },
  '& text': { fill: 'fg.muted', fontSize: '12px', fontVariantNumeric: 'tabular-nums' },
  ...Object.fromEntries(outcomes.map((outcome) => [`& [data-class=${outcome}]`, { fill: outcomeColors[outcome] }])),
};

interface UsageChartProps {
  points: MetricsQuery['gatewayMetrics']['points'];
  totals: MetricsQuery['gatewayMetrics']['totals'];
  range: MetricsRange;
}

/** The view box has the shown width, so that its text has the same size as other text. */
function useChartSize() {
  const [isLarge, isWide, isMedium] = [useLargeScreen(), useWideScreen(), useMediumScreen()];
  if (isLarge) return { width: 1656, bottom: 300, labels: 9 };
  if (isWide) return { width: 1136, bottom: 220, labels: 9 };
  return isMedium ? { width: 680, bottom: 220, labels: 6 } : { width: 312, bottom: 220, labels: 4 };
}

/** Requests over time as stacked bars by outcome, and as a table for users who cannot see the chart. */
export function UsageChart({ points, totals, range }: UsageChartProps) {
  const { width, bottom, labels } = useChartSize();
  const top = chooseAxisTop(Math.max(...points.map(({ counts }) => countRequests(counts)), 0));
  const plot = bottom - TOP - BOTTOM;
  const step = (width - LEFT) / Math.max(points.length, 1);
  const bar = Math.max(1, step * 0.7);
  const toHeight = (value: number) => (value / top) * plot;
  const toY = (value: number) => TOP + plot - toHeight(value);
  const labelledTimes = selectLabelledBuckets(
    points.map(({ at }) => at),
    labels,
  );
  const errors = totals.errors4xx + totals.errors5xx;

  return (
    <>
      <chakra.svg
        width="100%"
        height="auto"
        maxH="340px"
        css={chartCss}
        viewBox={`0 0 ${width} ${bottom}`}
        role="img"
        aria-label={messages.chart(formatCount(totals.requests), formatCount(errors), formatCount(totals.refused))}
      >
        {GRID_LINES.map((share) => (
          <g key={share}>
            <line x1={LEFT} x2={width} y1={toY(top * share)} y2={toY(top * share)} />
            <text x={LEFT - 8} y={toY(top * share) + 4} textAnchor="end">
              {formatCount(top * share)}
            </text>
          </g>
        ))}
        {points.map(({ at, counts }, index) => {
          const x = LEFT + index * step + (step - bar) / 2;
          const label = labelledTimes.has(at) ? formatBucketLabel(at, range) : '';
          let stacked = 0;
          return (
            <g key={at}>
              <title>{`${formatBucketTitle(at)}: ${formatCount(countRequests(counts))}`}</title>
              {outcomes.map((outcome) => {
                if (counts[outcome] === 0) return null;
                stacked += counts[outcome];
                return (
                  <rect
                    key={outcome}
                    data-class={outcome}
                    x={x}
                    width={bar}
                    y={toY(stacked)}
                    height={toHeight(counts[outcome])}
                  />
                );
              })}
              {label && (
                <text {...computeLabelPosition(x, label, width)} y={bottom - 6}>
                  {label}
                </text>
              )}
            </g>
          );
        })}
      </chakra.svg>
      <PointsTable points={points} />
    </>
  );
}
