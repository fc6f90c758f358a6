import { CLIENT_GONE } from '../metrics';

/** Counted requests of one key, since the last hand-over. */
export interface KeyUsage {
  keyId: string;
  count: number;
  /** ISO 8601 UTC. */
  lastUsedAt: string;
  minutes: MinuteUsage[];
}

interface MinuteUsage {
  /** The minute's start. */
  minute: string;
  requests: number;
  errors4xx: number;
  errors5xx: number;
  durationMs: number;
}

interface Counted {
  count: number;
  lastUsed: number;
  minutes: Map<number, Omit<MinuteUsage, 'minute'>>;
}

const MINUTE = 60_000;
const none = { requests: 0, errors4xx: 0, errors5xx: 0, durationMs: 0 };

/** Usage in memory: counted here per request, handed over in batches. */
export class UsageCounter {
  private keys = new Map<string, Counted>();

  /** A request was let through. @returns tells the counter how its answer ended */
  count(keyId: string, now: number): (status: number, durationMs: number) => void {
    const key = this.of(keyId);
    key.count += 1;
    key.lastUsed = Math.max(key.lastUsed, now);
    this.minute(key, now).requests += 1;
    return (status, durationMs) => {
      const minute = this.minute(this.of(keyId), now);
      minute.durationMs += durationMs;
      if (status >= 500) minute.errors5xx += 1;
      else if (status >= 400 && status !== CLIENT_GONE) minute.errors4xx += 1;
    };
  }

  /** Everything since the last call. */
  take(): KeyUsage[] {
    const taken = this.keys;
    this.keys = new Map();
    return [...taken].map(([keyId, { count, lastUsed, minutes }]) => ({
      keyId,
      count,
      lastUsedAt: lastUsed === 0 ? '' : new Date(lastUsed).toISOString(),
      minutes: [...minutes].map(([start, usage]) => ({ minute: new Date(start).toISOString(), ...usage })),
    }));
  }

  private of(keyId: string): Counted {
    const known = this.keys.get(keyId);
    if (known) return known;
    const fresh = { count: 0, lastUsed: 0, minutes: new Map() };
    this.keys.set(keyId, fresh);
    return fresh;
  }

  private minute({ minutes }: Counted, now: number) {
    const start = now - (now % MINUTE);
    const known = minutes.get(start);
    if (known) return known;
    const fresh = { ...none };
    minutes.set(start, fresh);
    return fresh;
  }
}

/** Adds `more` to `sum`, key by key: what several workers counted becomes one batch. */
export function mergeUsage(sum: Map<string, KeyUsage>, more: readonly KeyUsage[]): void {
  for (const { keyId, count, lastUsedAt, minutes } of more) {
    const known = sum.get(keyId) ?? { keyId, count: 0, lastUsedAt: '', minutes: [] };
    known.count += count;
    if (lastUsedAt > known.lastUsedAt) known.lastUsedAt = lastUsedAt;
    known.minutes.push(...minutes);
    sum.set(keyId, known);
  }
}
