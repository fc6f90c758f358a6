import { axisTop, pointsOf } from './history';

const series = [
  {
    keyId: 'a',
    points: [
      { at: '2026-01-01T00:00:00.000Z', requests: 3, errors: 1, averageMs: 10 },
      { at: '2026-01-01T01:00:00.000Z', requests: 0, errors: 0, averageMs: null },
    ],
  },
  {
    keyId: 'b',
    points: [
      { at: '2026-01-01T00:00:00.000Z', requests: 1, errors: 0, averageMs: 50 },
      { at: '2026-01-01T01:00:00.000Z', requests: 0, errors: 0, averageMs: null },
    ],
  },
];

describe('usage history', () => {
  it('shows one key by itself and nothing for an unknown one', () => {
    expect(pointsOf(series, 'b')[0]?.requests).toBe(1);
    expect(pointsOf(series, 'c')).toEqual([]);
  });

  it('sums all keys per bucket and weighs the averages by requests', () => {
    expect(pointsOf(series, '')).toEqual([
      { at: '2026-01-01T00:00:00.000Z', requests: 4, errors: 1, averageMs: 20 },
      { at: '2026-01-01T01:00:00.000Z', requests: 0, errors: 0, averageMs: null },
    ]);
  });

  it.each([
    [0, 1],
    [3, 5],
    [20, 20],
    [21, 50],
    [501, 1000],
    [999_999, 1_000_000],
  ])('tops an axis of %d at %d', (value, top) => expect(axisTop(value)).toBe(top));
});
