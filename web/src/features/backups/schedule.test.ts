import { formatCron, formatSchedule, parseSchedule } from './schedule';

test.each([
  ['0 3 * * *', { frequency: 'daily', time: '03:00' }, 'Todo dia às 03:00 (America/Manaus)'],
  ['5 14 * * 0', { frequency: 'weekly', time: '14:05', weekday: 0 }, 'Toda semana, domingo às 14:05 (America/Manaus)'],
  ['15 */2 * * 1-5', { frequency: 'custom' }, 'Cron 15 */2 * * 1-5 (America/Manaus)'],
  [null, { frequency: 'off' }, 'Só quando alguém pede'],
])('the cron line %s is shown in words', (cron, schedule, text) => {
  expect(parseSchedule(cron)).toEqual(schedule);
  expect(formatSchedule(cron, 'America/Manaus')).toBe(text);
});

test('a time of day is converted to a cron line', () => {
  expect([formatCron('03:00', '*'), formatCron('14:05', '0')]).toEqual(['0 3 * * *', '5 14 * * 0']);
});
