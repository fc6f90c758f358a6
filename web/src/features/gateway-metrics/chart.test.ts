import { chooseAxisMaximum, computeLabelPosition, countRequests, selectLabelledBuckets } from './chart';
import { readMetricsParams } from './metricsParams';

describe('the usage history', () => {
  test.each([
    [0, 2],
    [3, 4],
    [5, 10],
    [20, 20],
    [21, 50],
    [501, 1000],
    [999_999, 1_000_000],
  ])('shows the value %d on an axis that ends at %d', (value, maximum) =>
    expect(chooseAxisMaximum(value)).toBe(maximum),
  );

  test.each([
    ['24 hours in bars of 15 minutes', 900, 97, 9, 3],
    ['24 hours in bars of 15 minutes on a phone', 900, 97, 4, 6],
    ['an hour in bars of one minute', 60, 60, 9, 10 / 60],
    ['7 days in bars of two hours', 7_200, 84, 9, 24],
    ['30 days in bars of eight hours', 28_800, 90, 9, 96],
  ])('labels %s at round times', (_, bucketSeconds, count, maxLabels, stepHours) => {
    const start = new Date(2026, 10, 21, 7, 0).getTime();
    const timestamps = Array.from({ length: count }, (_one, index) =>
      new Date(start + index * bucketSeconds * 1000).toISOString(),
    );
    const labelledTimes = [...selectLabelledBuckets(timestamps, maxLabels)];
    expect(labelledTimes.length).toBeLessThanOrEqual(maxLabels + 1);
    const gaps = labelledTimes
      .slice(1)
      .map((at, index) => (Date.parse(at) - Date.parse(labelledTimes[index] ?? at)) / 3_600_000);
    expect(Math.abs(Math.min(...gaps) - stepHours)).toBeLessThanOrEqual(bucketSeconds / 3600);
    for (const at of labelledTimes.slice(1)) {
      const date = new Date(at);
      const minutes = date.getHours() * 60 + date.getMinutes();
      expect(minutes % Math.min(stepHours * 60, 24 * 60)).toBeLessThan(bucketSeconds / 60);
    }
  });

  test('keeps the label of the last bar within the chart', () => {
    expect(computeLabelPosition(100, '18:00', 312)).toEqual({ x: 100, textAnchor: 'start' });
    expect(computeLabelPosition(300, '00:00', 312)).toEqual({ x: 312, textAnchor: 'end' });
  });

  test('adds the refused requests to the allowed requests', () => {
    expect(countRequests({ requests: 7, refused: 3 })).toBe(10);
  });

  test('reads range, grouping and filter from the URL, and replaces invalid values with the defaults', () => {
    const readParams = (text: string) => readMetricsParams(new URLSearchParams(text));
    expect(readParams('')).toMatchObject({ range: 'last24h', by: 'key', filter: null });
    expect(readParams('periodo=7d&por=rota&de=servico-019a-b')).toMatchObject({
      range: 'last7d',
      by: 'route',
      filter: { by: 'service', id: '019a-b' },
    });
    expect(readParams('periodo=toString&por=x&de=y')).toMatchObject({ range: 'last24h', by: 'key', filter: null });
  });
});
