import { chakra } from '@chakra-ui/react';
import type { MetricsRange } from '../../generated/graph';
import { useMinWidth } from '../../ui/layout/mediaQueries';
import {
  chooseAxisMaximum,
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

const MARGIN_TOP = 8;
const MARGIN_BOTTOM = 24;
const MARGIN_LEFT = 48;
const chartCss = {
  '& line': { stroke: 'border' },
  '& text': { fill: 'fg.muted', fontSize: '12px', fontVariantNumeric: 'tabular-nums' },
  ...Object.fromEntries(outcomes.map((outcome) => [`& [data-outcome=${outcome}]`, { fill: outcomeColors[outcome] }])),
};

interface UsageChartProps {
  points: MetricsQuery['gatewayMetrics']['points'];
  totals: MetricsQuery['gatewayMetrics']['totals'];
  range: MetricsRange;
}

/** The view box is as wide as the chart on screen, so that the browser does not scale its text. */
function useChartSize() {
  const isLarge = useMinWidth(1680);
  const isWide = useMinWidth(880);
  const isMedium = useMinWidth(640);
  if (isLarge) return { width: 1656, height: 300, maxLabels: 9 };
  if (isWide) return { width: 1136, height: 220, maxLabels: 9 };
  return isMedium ? { width: 680, height: 220, maxLabels: 6 } : { width: 312, height: 220, maxLabels: 4 };
}

/** Requests over time as stacked bars by outcome, and as a table for users who cannot see the chart. */
export function UsageChart({ points, totals, range }: UsageChartProps) {
  const { width, height, maxLabels } = useChartSize();
  const axisMaximum = chooseAxisMaximum(Math.max(...points.map(({ counts }) => countRequests(counts)), 0));
  const plotHeight = height - MARGIN_TOP - MARGIN_BOTTOM;
  const slotWidth = (width - MARGIN_LEFT) / Math.max(points.length, 1);
  const barWidth = Math.max(1, slotWidth * 0.7);
  const toHeight = (value: number) => (value / axisMaximum) * plotHeight;
  const toY = (value: number) => MARGIN_TOP + plotHeight - toHeight(value);
  const times = points.map(({ at }) => at);
  const labelledTimes = selectLabelledBuckets(times, maxLabels);
  const errorCount = totals.errors4xx + totals.errors5xx;

  return (
    <>
      <chakra.svg
        width="100%"
        height="auto"
        maxH="340px"
        css={chartCss}
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={messages.chart(formatCount(totals.requests), formatCount(errorCount), formatCount(totals.refused))}
      >
        {[0, 0.5, 1].map((fraction) => (
          <g key={fraction}>
            <line x1={MARGIN_LEFT} x2={width} y1={toY(axisMaximum * fraction)} y2={toY(axisMaximum * fraction)} />
            <text x={MARGIN_LEFT - 8} y={toY(axisMaximum * fraction) + 4} textAnchor="end">
              {formatCount(axisMaximum * fraction)}
            </text>
          </g>
        ))}
        {points.map(({ at, counts }, index) => {
          const x = MARGIN_LEFT + index * slotWidth + (slotWidth - barWidth) / 2;
          const label = labelledTimes.has(at) ? formatBucketLabel(at, range) : '';
          let stackedCount = 0;
          return (
            <g key={at}>
              <title>{`${formatBucketTitle(at)}: ${formatCount(countRequests(counts))}`}</title>
              {outcomes.map((outcome) => {
                if (counts[outcome] === 0) return null;
                stackedCount += counts[outcome];
                return (
                  <rect
                    key={outcome}
                    data-outcome={outcome}
                    x={x}
                    width={barWidth}
                    y={toY(stackedCount)}
                    height={toHeight(counts[outcome])}
                  />
                );
              })}
              {label && (
                <text {...computeLabelPosition(x, label, width)} y={height - 6}>
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
