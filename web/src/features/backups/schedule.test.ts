import { formatCron, formatSchedule, parseSchedule } from './schedule';

test.each([
  ['0 3 * * *', 'Todo dia às 03:00 (America/Manaus)', { frequency: 'daily', time: '03:00' }],
  ['5 14 * * 0', 'Toda semana, domingo às 14:05 (America/Manaus)', { frequency: 'weekly', time: '14:05', weekday: 0 }],
  ['15 */2 * * 1-5', 'Cron 15 */2 * * 1-5 (America/Manaus)', { frequency: 'custom' }],
  [null, 'Só quando alguém pede', { frequency: 'off' }],
])('a plan with the cron line %p is shown as "%s"', (cron, text, schedule) => {
  expect(parseSchedule(cron)).toEqual(schedule);
  expect(formatSchedule(cron, 'America/Manaus')).toBe(text);
});

test('a time of day on every day or on one weekday becomes a cron line', () => {
  expect([formatCron('03:00', '*'), formatCron('14:05', '0')]).toEqual(['0 3 * * *', '5 14 * * 0']);
});
