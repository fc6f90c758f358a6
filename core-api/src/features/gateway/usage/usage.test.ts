import { entities } from '../../../app/entities';
import { createDatabase, type Database } from '../../../platform/database/database';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../platform/time/relative-time';
import type { CountedSubject, MinuteCounts } from '../../../platform/usage/counted-subject';
import { Core } from '../../../testing/core';
import { recordUsage } from './record-usage';

let core: Core;
let database: Database;
let keyIds: string[];
/** The stored minutes by the id of their subject, followed by the reason if the minutes count refused requests. */
const storedMinutes = new Map<string, MinuteCounts[]>();

/** Returns minutes (ms) that are spread over more than a year, on both sides of every possible bound of a range. */
function createSpreadMinutes(seed: number): number[] {
  const now = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  // The usage history of a year has 92 buckets of four days.
  const lengths = [HOUR_MS, DAY_MS, 7 * DAY_MS, 30 * DAY_MS, 92 * 4 * DAY_MS];
  const bounds = lengths.flatMap((length) =>
    [15 * MINUTE_MS, HOUR_MS, 2 * HOUR_MS, 8 * HOUR_MS, DAY_MS, 4 * DAY_MS].flatMap((step) => {
      const bound = Math.ceil((now - length) / step) * step;
      return [bound - MINUTE_MS, bound];
    }),
  );
  // A day in São Paulo begins at 3:00 UTC.
  const midnights = [0, 1, 6, 7, 29, 30].flatMap((days) =>
    [0, 3 * HOUR_MS].map((hour) => today - days * DAY_MS + hour),
  );
  const midnightMinutes = midnights.flatMap((midnight) => [midnight - MINUTE_MS, midnight]);
  // Pseudo-random minutes of the last 337 days.
  const scattered = Array.from({ length: 60 }, (_, index) => now - ((index ** 3 * 7 + seed) % 5_000) * 97 * MINUTE_MS);
  const recentMinutes = Array.from({ length: 60 }, (_, index) => now - index * seed * MINUTE_MS);
  const pastMinutes = [...bounds, ...midnightMinutes, ...scattered, ...recentMinutes].filter((at) => at <= now);
  // One minute is in the future, as if an edge with a fast clock had counted it.
  return [...new Set([...pastMinutes, now + 2 * DAY_MS])];
}

function createUsage(
  dimension: CountedSubject['dimension'],
  entityId: string,
  seed: number,
  reason = '',
): CountedSubject {
  const counts = createSpreadMinutes(seed).map((at, index) => ({
    minute: new Date(at).toISOString(),
    requests: reason ? 0 : 10 + ((index * seed) % 17),
    errors4xx: reason ? 0 : index % 4,
    errors5xx: reason ? 0 : index % 3,
    refused: index % 5,
    durationMs: reason ? 0 : 100 * seed + index,
    latency: [1, index % 7, 2],
  }));
  storedMinutes.set(`${entityId}${reason}`, counts);
  return { dimension, entityId, reason, minutes: counts };
}

beforeAll(async () => {
  core = await new Core().start();
  database = createDatabase({ DATABASE_URL: undefined, ...core.database }, entities);
  await database.open();
  keyIds = [];
  for (const name of ['um', 'dois', 'três'])
    keyIds.push((await core.request('POST', '/gateway/admin/keys', { body: { name, permissions: ['*'] } })).body._id);
  const usage = [
    ...keyIds.map((keyId, index) => createUsage('key', keyId, index + 1)),
    createUsage('gateway', 'gateway', 5),
    createUsage('gateway', 'gateway', 6, 'no_key'),
    createUsage('gateway', 'gateway', 7, 'path'),
  ];
  // Edges deliver usage in many parts.
  for (const subject of usage)
    for (let start = 0; start < subject.minutes.length; start += 50)
      await database.concurrentWrite((manager) =>
        recordUsage(manager, [{ ...subject, minutes: subject.minutes.slice(start, start + 50) }]),
      );
});
afterAll(async () => {
  await database?.close();
  await core?.stop();
});

/** The sum of a subject's minutes within a range. */
function sumMinutes(subject: string, fromMs: number, lengthMs: number) {
  const sum = { requests: 0, errors4xx: 0, errors5xx: 0, refused: 0, durationMs: 0 };
  for (const { minute, requests, errors4xx, errors5xx, refused = 0, durationMs } of storedMinutes.get(subject) ?? []) {
    const at = Date.parse(minute);
    if (at < fromMs || at >= fromMs + lengthMs) continue;
    sum.requests += requests;
    sum.errors4xx += errors4xx;
    sum.errors5xx += errors5xx;
    sum.refused += refused;
    sum.durationMs += durationMs;
  }
  return sum;
}
const toReportedCounts = ({ durationMs, ...sum }: ReturnType<typeof sumMinutes>) => ({
  ...sum,
  successes: sum.requests - sum.errors4xx - sum.errors5xx,
  averageMs: sum.requests > 0 ? durationMs / sum.requests : null,
});

describe.each(['1h', '24h', '7d', '30d'])('metrics of the last %s', (range) => {
  test('are the sums of the counted minutes, in total, over time, by reason and by key', async () => {
    const { body } = await core.request('GET', `/gateway/admin/metrics?range=${range}&by=key`);
    const from = Date.parse(body.from);
    const bucketMs = body.bucketSeconds * 1000;
    const lengthMs = body.points.length * bucketMs;
    expect(body.totals).toMatchObject(toReportedCounts(sumMinutes('gateway', from, lengthMs)));
    expect(body.points.map(({ counts }: { counts: object }) => counts)).toEqual(
      body.points.map(({ at }: { at: string }) =>
        expect.objectContaining(toReportedCounts(sumMinutes('gateway', Date.parse(at), bucketMs))),
      ),
    );
    const reasons = ['no_key', 'path'].map((reason) => ({
      reason,
      count: sumMinutes(`gateway${reason}`, from, lengthMs).refused,
    }));
    expect(body.refusals).toEqual(reasons.sort((a, b) => b.count - a.count));
    expect(body.subjects).toHaveLength(keyIds.length);
    for (const { id, prefix, counts } of body.subjects) {
      expect(prefix).toHaveLength(12);
      expect(counts).toMatchObject(toReportedCounts(sumMinutes(id, from, lengthMs)));
    }
    const totals: number[] = body.subjects.map(
      ({ counts }: { counts: { requests: number; refused: number } }) => counts.requests + counts.refused,
    );
    expect(totals).toEqual([...totals].sort((a, b) => b - a));
  });

  test('as CSV are the sums of the counted minutes', async () => {
    const { body } = await core.request('GET', `/gateway/admin/metrics/csv?range=${range}&by=key`);
    const { bucketSeconds } = (await core.request('GET', `/gateway/admin/metrics?range=${range}`)).body;
    const [, ...lines] = String(body).trimEnd().split('\r\n');
    expect(lines.length).toBeGreaterThan(keyIds.length);
    for (const line of lines) {
      const [at = '', id = '', , requests, successes, errors4xx, errors5xx, refused] = line.split(',');
      const sum = toReportedCounts(sumMinutes(id, Date.parse(at), bucketSeconds * 1000));
      expect([requests, successes, errors4xx, errors5xx, refused].map(Number)).toEqual([
        sum.requests,
        sum.successes,
        sum.errors4xx,
        sum.errors5xx,
        sum.refused,
      ]);
    }
  });
});

test.each(['day', 'week', 'month', 'year'])(
  'the usage history of a %s has the sums of the counted minutes',
  async (range) => {
    const { body } = await core.request('GET', `/gateway/admin/usage?range=${range}`);
    expect(body.series.map(({ keyId }: { keyId: string }) => keyId).sort()).toEqual([...keyIds].sort());
    for (const { keyId, points } of body.series) {
      const expected = points.map(({ at }: { at: string }) => {
        const sum = sumMinutes(keyId, Date.parse(at), body.bucketSeconds * 1000);
        const { averageMs } = toReportedCounts(sum);
        return { at, requests: sum.requests, errors: sum.errors4xx + sum.errors5xx, averageMs };
      });
      expect(points).toEqual(expected);
    }
  },
);

test('the hourly activity of each key has the sums of the counted minutes', async () => {
  const { body } = await core.request('GET', '/gateway/admin/metrics/keys');
  expect(body.keys).toHaveLength(keyIds.length);
  const from = Date.parse(body.from);
  for (const { keyId, requests } of body.keys)
    expect(requests).toEqual(
      Array.from({ length: 24 }, (_, hour) => sumMinutes(keyId, from + hour * HOUR_MS, HOUR_MS).requests),
    );
});
