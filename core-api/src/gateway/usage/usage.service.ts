import type { Database } from '../../database/source';
import { ApiKey } from '../keys/key.entity';
import { UsageMinute } from './usage.entity';
import type { UsageRange } from './usage.schema';

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Length of a bucket in seconds and how many make the range. */
const shapes: Record<UsageRange, { bucketSeconds: number; buckets: number }> = {
  day: { bucketSeconds: 15 * MINUTE, buckets: 96 },
  week: { bucketSeconds: 2 * HOUR, buckets: 84 },
  month: { bucketSeconds: 8 * HOUR, buckets: 90 },
};

interface Bucket {
  keyId: string;
  /** `YYYY-MM-DDTHH:MM` of a minute; grouped further below. */
  minute: string;
  requests: number | string;
  errors: number | string;
  durationMs: number | string;
}

export class UsageService {
  constructor(private readonly database: Database) {}

  /** Requests and errors per key over time, busiest key first; buckets without traffic are included. */
  async history(range: UsageRange) {
    const { bucketSeconds, buckets } = shapes[range];
    const step = bucketSeconds * 1000;
    const from = (Math.floor(Date.now() / step) - buckets + 1) * step;
    const rows = await this.rowsSince(new Date(from).toISOString(), range);
    const names = new Map(
      (await this.database.read.find(ApiKey, { select: { _id: true, name: true } })).map(({ _id, name }) => [
        _id,
        name,
      ]),
    );
    const byKey = new Map<string, { requests: number; errors: number; durationMs: number }[]>();
    for (const row of rows) {
      if (!names.has(row.keyId)) continue;
      const own =
        byKey.get(row.keyId) ?? Array.from({ length: buckets }, () => ({ requests: 0, errors: 0, durationMs: 0 }));
      byKey.set(row.keyId, own);
      const bucket = own[Math.floor((Date.parse(row.minute) - from) / step)];
      if (!bucket) continue;
      bucket.requests += Number(row.requests);
      bucket.errors += Number(row.errors);
      bucket.durationMs += Number(row.durationMs);
    }
    const total = (keyId: string) => (byKey.get(keyId) ?? []).reduce((sum, { requests }) => sum + requests, 0);
    const series = [...byKey]
      .sort(([one], [other]) => total(other) - total(one))
      .map(([keyId, own]) => ({
        keyId,
        keyName: names.get(keyId) ?? '',
        points: own.map(({ requests, errors, durationMs }, index) => ({
          at: new Date(from + index * step).toISOString(),
          requests,
          errors,
          averageMs: requests > 0 ? durationMs / requests : null,
        })),
      }));
    return { range, bucketSeconds, from: new Date(from).toISOString(), series };
  }

  /** Minutes for a day; for longer ranges the database adds them up to hours first. */
  private rowsSince(from: string, range: UsageRange): Promise<Bucket[]> {
    const minute = range === 'day' ? 'usage.minute' : `substr(usage.minute, 1, 13) || ':00:00.000Z'`;
    return this.database.read
      .createQueryBuilder(UsageMinute, 'usage')
      .select('usage.keyId', 'keyId')
      .addSelect(minute, 'minute')
      .addSelect('SUM(usage.requests)', 'requests')
      .addSelect('SUM(usage.errors4xx + usage.errors5xx)', 'errors')
      .addSelect('SUM(usage.durationMs)', 'durationMs')
      .where('usage.minute >= :from', { from })
      .groupBy('usage.keyId')
      .addGroupBy(minute)
      .getRawMany<Bucket>();
  }
}
