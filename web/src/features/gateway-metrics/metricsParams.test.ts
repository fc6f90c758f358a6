import { readMetricsParams } from './metricsParams';

const readFilter = (de: string) => readMetricsParams(new URLSearchParams({ de })).filter;

test('the filter of the URL is a known subject and an id', () => {
  expect(readFilter('rota-019a-7')).toEqual({ by: 'route', id: '019a-7' });
  expect(readFilter('chaves')).toBeNull();
  expect(readFilter('constructor-1')).toBeNull();
});
