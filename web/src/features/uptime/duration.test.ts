import { formatDowntime } from './duration';

test.each([
  [45, '45 s'],
  [90, '1 min'],
  [7_200, '2 h'],
  [7_500, '2 h 5 min'],
  [97_200, '1 d 3 h'],
])('a downtime of %i seconds is shown as "%s"', (seconds, text) => {
  expect(formatDowntime(seconds)).toBe(text);
});
