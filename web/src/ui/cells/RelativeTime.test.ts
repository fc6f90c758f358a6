import { formatRelativeTime } from './RelativeTime';

const now = Date.parse('2026-03-10T12:00:00.000Z');

test.each([
  ['2026-03-10T11:59:40.000Z', 'agora'],
  ['2026-03-10T11:55:00.000Z', 'há 5 minutos'],
  ['2026-03-10T11:00:00.000Z', 'há 1 hora'],
  ['2026-03-09T11:00:00.000Z', 'há 1 dia'],
  ['2026-03-08T13:00:00.000Z', 'há 1 dia'],
  ['2026-03-12T11:00:00.000Z', 'em 1 dia'],
  ['2026-02-08T12:00:00.000Z', 'há 1 mês'],
  ['2025-03-01T12:00:00.000Z', 'há 1 ano'],
])('at 12:00 on 2026-03-10, the instant %s is shown as "%s"', (at, expected) => {
  expect(formatRelativeTime(at, now)).toBe(expected);
});
