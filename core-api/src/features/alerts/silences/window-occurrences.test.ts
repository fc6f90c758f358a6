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

/** A window of Sundays in New York. The first Sunday is 2027-01-03, with UTC-5. */
function createSundays(hours: string) {
  const [startsAt = '', endsAt = ''] = hours.split('–').map((time) => `2027-01-03T${time}:00-05:00`);
  return { startsAt, endsAt, weekdays: [0] };
}

test.each([
  ['2027-03-14T04:59:00Z', '00:00–00:30', 'closed'],
  ['2027-03-14T05:10:00Z', '00:00–00:30', 'open'],
  ['2027-03-14T05:30:00Z', '00:00–00:30', 'closed'],
  ['2027-03-14T05:59:00Z', '01:00–05:00', 'closed'],
  ['2027-03-14T06:00:00Z', '01:00–05:00', 'open'],
  ['2027-03-14T08:10:00Z', '01:00–05:00', 'open'],
  ['2027-11-07T04:10:00Z', '00:00–00:30', 'open'],
  ['2027-11-07T04:59:00Z', '01:00–05:00', 'closed'],
  ['2027-11-07T05:00:00Z', '01:00–05:00', 'open'],
  ['2027-11-07T05:30:00Z', '00:00–00:30', 'closed'],
])('on a day in New York in which the clock changes, at %s a window of Sundays %s is %s', (instant, hours, state) =>
  expect(isWindowOpen(createSundays(hours), parseInstant(instant), 'America/New_York')).toBe(state === 'open'),
);

test.each([
  ['skips', '02:30–02:45', '2027-03-14', '2027-03-14T07:30:00.000Z'],
  ['repeats', '01:30–01:45', '2027-11-07', '2027-11-07T05:30:00.000Z'],
])('if the clock %s the start of a window, the window happens once on that day', (_change, hours, day, start) => {
  const interval = { from: parseInstant(`${day}T00:00:00Z`), until: parseInstant(`${day}T23:00:00Z`) };
  const occurrences = findOccurrences(createSundays(hours), interval, 'America/New_York');
  expect(occurrences.map(({ from }) => new Date(from).toISOString())).toEqual([start]);
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
