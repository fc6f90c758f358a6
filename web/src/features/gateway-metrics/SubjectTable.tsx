import { Button } from '@chakra-ui/react';
import type { Column } from '../../ui/list/column';
import { DataList } from '../../ui/list/rows/DataList';
import { formatCount, formatOptionalDuration } from './format';
import { metricsMessages } from './gateway-metrics.messages';
import type { MetricsQuery } from './generated/gateway-metrics';

const { history: messages } = metricsMessages;
type Subject = MetricsQuery['gatewayMetrics']['subjects'][number];

/** Widths of columns. On a tablet each column fits a number with its unit. All widths grow with the window. */
const NARROW = 'max(64px, 7vw)';
const MEDIUM = 'max(80px, 8vw)';
const LARGE = 'max(92px, 8vw)';

const createCountColumn = (id: string, header: string, width: string, cell: (counts: Subject['counts']) => string) => ({
  id,
  header,
  width,
  isNumeric: true,
  cell: (subject: Subject) => cell(subject.counts),
});
const countColumns: Column<Subject>[] = [
  createCountColumn('requests', messages.requests, LARGE, ({ requests }) => formatCount(requests)),
  createCountColumn('errors4xx', messages.outcomes.errors4xx, NARROW, ({ errors4xx }) => formatCount(errors4xx)),
  createCountColumn('errors5xx', messages.outcomes.errors5xx, NARROW, ({ errors5xx }) => formatCount(errors5xx)),
  createCountColumn('refused', messages.outcomes.refused, LARGE, ({ refused }) => formatCount(refused)),
  createCountColumn('p50', messages.p50, MEDIUM, ({ p50Ms }) => formatOptionalDuration(p50Ms)),
  createCountColumn('p95', messages.p95, MEDIUM, ({ p95Ms }) => formatOptionalDuration(p95Ms)),
  // The last column needs more width for its padding.
  createCountColumn('p99', messages.p99, LARGE, ({ p99Ms }) => formatOptionalDuration(p99Ms)),
];

const getRowId = ({ id }: Subject) => id;

interface SubjectTableProps {
  subjects: readonly Subject[];
  label: string;
  header: string;
  /** Filters the metrics by this subject. */
  onSelect: (id: string) => void;
}

/** Keys, routes or services with their counts, the busiest first. */
export function SubjectTable({ subjects, label, header, onSelect }: SubjectTableProps) {
  const columns: Column<Subject>[] = [
    {
      id: 'name',
      header,
      isHeading: true,
      cell: ({ id, name, prefix }) =>
        name ? (
          <>
            <Button
              variant="plain"
              fontWeight="medium"
              whiteSpace="normal"
              textAlign="start"
              onClick={() => onSelect(id)}
            >
              {name}
            </Button>{' '}
            {prefix && <code>{prefix}…</code>}
          </>
        ) : (
          messages.removed
        ),
    },
    ...countColumns,
  ];
  return <DataList list={{ columns, rows: subjects }} label={label} rowKey={getRowId} headingLevel={3} />;
}
