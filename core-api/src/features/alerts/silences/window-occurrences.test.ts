import { findOccurrences, isWindowOpen } from './window-occurrences';

const SAO_PAULO = 'America/Sao_Paulo';
const parseInstant = (text: string) => Date.parse(text);
/** Sundays and Wednesdays from 23:00 to 01:00 in São Paulo (UTC-3). */
const weekly = { startsAt: '2026-11-02T02:00:00Z', endsAt: '2026-11-02T04:00:00Z', weekdays: [0, 3] };

test.each([
  ['2026-11-02T01:59:00Z', 'closed'],
  ['2026-11-02T02:00:00Z', 'open'],
  ['2026-11-02T03:59:00Z', 'open'],
  ['2026-11-02T04:00:00Z', 'closed'],
  ['2026-11-03T02:30:00Z', 'closed'],
  ['2026-11-05T02:30:00Z', 'open'],
  ['2026-11-09T03:30:00Z', 'open'],
  ['2026-10-26T02:30:00Z', 'closed'],
])('at %s a window of Sundays and Wednesdays in São Paulo is %s', (instant, state) =>
  expect(isWindowOpen(weekly, parseInstant(instant), SAO_PAULO)).toBe(state === 'open'),
);

test('a weekly maintenance window keeps its wall time when daylight saving time begins', () => {
  const sundays = { startsAt: '2026-03-22T09:00:00Z', endsAt: '2026-03-22T10:00:00Z', weekdays: [0] };
  const occurrences = findOccurrences(
    sundays,
    { from: parseInstant('2026-03-20T00:00:00Z'), until: parseInstant('2026-04-01T00:00:00Z') },
    'Europe/Berlin',
  );
  expect(occurrences.map(({ from }) => new Date(from).toISOString())).toEqual([
    '2026-03-22T09:00:00.000Z',
    '2026-03-29T08:00:00.000Z',
  ]);
});

test('a weekly maintenance window whose start has seconds opens at that second, and again a week later', () => {
  const mondays = { startsAt: '2026-11-02T12:00:22.400Z', endsAt: '2026-11-02T13:00:00Z', weekdays: [1] };
  expect(isWindowOpen(mondays, parseInstant('2026-11-02T12:00:22.399Z'), SAO_PAULO)).toBe(false);
  expect(isWindowOpen(mondays, parseInstant('2026-11-02T12:00:22.400Z'), SAO_PAULO)).toBe(true);
  expect(isWindowOpen(mondays, parseInstant('2026-11-09T12:59:59.999Z'), SAO_PAULO)).toBe(true);
});

test('a maintenance window without weekdays happens once', () => {
  const onceWindow = { startsAt: '2026-11-02T02:00:00Z', endsAt: '2026-11-02T04:00:00Z', weekdays: [] };
  const year = { from: parseInstant('2026-01-01T00:00:00Z'), until: parseInstant('2027-01-01T00:00:00Z') };
  expect(findOccurrences(onceWindow, year, SAO_PAULO)).toEqual([
    { from: parseInstant(onceWindow.startsAt), until: parseInstant(onceWindow.endsAt) },
  ]);
});
