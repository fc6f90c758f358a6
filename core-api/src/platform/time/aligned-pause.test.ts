import { computeAlignedPause } from './aligned-pause';

afterEach(() => jest.restoreAllMocks());

test.each([
  ['a run at a multiple of the interval', 5_000, 6_000],
  ['a run that ended soon after a multiple', 5_400, 6_000],
  ['a run that took most of the interval', 5_600, 7_000],
])('%s is followed by a run at the first multiple that is at least half an interval away', (_case, now, next) => {
  jest.spyOn(performance, 'now').mockReturnValue(now);
  expect(now + computeAlignedPause(1_000)).toBe(next);
});
