import { MINUTE_MS } from '../../platform/time/relative-time';
import type { CountedSubject } from '../../platform/usage/counted-subject';
import { findLatencyBucket, LATENCY_BUCKET_COUNT } from '../../platform/usage/latency';
import type { RefusalReason } from '../../routing/refusal-reason';
import { CLIENT_GONE } from '../engine/types';
import type { EdgeDecision } from '../handler/edge-decision';
import { mergeUsage } from './counted-usage';

/** Key, route and service of a request at the gateway, if they are known. */
export type UsageOwner = Pick<EdgeDecision, 'keyId' | 'routeId' | 'serviceId'>;

type Counts = ReturnType<typeof createCounts> & { refused: Map<RefusalReason, number> | undefined };

interface KeyRouteUsage extends UsageOwner {
  /** Time of the last allowed request, ms since the epoch; 0 before the first. */
  lastUsedMs: number;
  /** Counts by the number of the minute since 1970. */
  minutes: Map<number, Counts>;
}

const createCounts = () => ({
  requests: 0,
  errors4xx: 0,
  errors5xx: 0,
  durationMs: 0,
  latency: new Array<number>(LATENCY_BUCKET_COUNT).fill(0),
});

/**
 * Counts the usage of the gateway at one worker since its last report. A request is counted once, under its key and
 * route. Reports sum the counts by key, route, service and gateway, with refusals by reason.
 */
export class UsageCounter {
  private usageByRoute = new Map<string, Map<string, KeyRouteUsage>>();

  /** Counts an allowed request. @param now ms since the epoch */
  countRequest(owner: UsageOwner, now: number): void {
    const usage = this.getUsage(owner);
    if (now > usage.lastUsedMs) usage.lastUsedMs = now;
    getMinute(usage, now).requests += 1;
  }

  /** Adds the result of a counted request. @param startedAt start of the request, ms since the epoch */
  recordResult(owner: UsageOwner, startedAt: number, status: number, durationMs: number): void {
    const counts = getMinute(this.getUsage(owner), startedAt);
    counts.durationMs += durationMs;
    const bucket = findLatencyBucket(durationMs);
    counts.latency[bucket] = (counts.latency[bucket] ?? 0) + 1;
    if (status >= 500) counts.errors5xx += 1;
    else if (status >= 400 && status !== CLIENT_GONE) counts.errors4xx += 1;
  }

  countRefusal(owner: UsageOwner, startedAt: number, reason: RefusalReason): void {
    const counts = getMinute(this.getUsage(owner), startedAt);
    counts.refused ??= new Map();
    counts.refused.set(reason, (counts.refused.get(reason) ?? 0) + 1);
  }

  /** Returns the counts since the last call, and sets them to zero. */
  take(): CountedSubject[] {
    const { usageByRoute } = this;
    this.usageByRoute = new Map();
    const sum = new Map<string, CountedSubject>();
    for (const usageByKey of usageByRoute.values())
      for (const usage of usageByKey.values()) mergeUsage(sum, listSubjects(usage));
    return [...sum.values()];
  }

  private getUsage({ keyId, routeId, serviceId }: UsageOwner): KeyRouteUsage {
    let usageByKey = this.usageByRoute.get(routeId ?? '');
    if (!usageByKey) {
      usageByKey = new Map();
      this.usageByRoute.set(routeId ?? '', usageByKey);
    }
    let usage = usageByKey.get(keyId ?? '');
    if (!usage) {
      usage = { keyId, routeId, serviceId, lastUsedMs: 0, minutes: new Map() };
      usageByKey.set(keyId ?? '', usage);
    }
    return usage;
  }
}

function getMinute({ minutes }: KeyRouteUsage, time: number): Counts {
  const minute = Math.floor(time / MINUTE_MS);
  const counts = minutes.get(minute);
  if (counts) return counts;
  const newCounts: Counts = { ...createCounts(), refused: undefined };
  minutes.set(minute, newCounts);
  return newCounts;
}

/** Yields the counts of a key at a route for gateway, key, route and service. Refusals are also yielded by reason. */
function* listSubjects({ keyId, routeId, serviceId, lastUsedMs, minutes }: KeyRouteUsage): Generator<CountedSubject> {
  const subjects: Omit<CountedSubject, 'minutes'>[] = [{ dimension: 'gateway', entityId: 'gateway' }];
  if (keyId) subjects.push({ dimension: 'key', entityId: keyId });
  if (routeId) subjects.push({ dimension: 'route', entityId: routeId });
  if (serviceId) subjects.push({ dimension: 'service', entityId: serviceId });
  const lastUsedAt = lastUsedMs > 0 ? new Date(lastUsedMs).toISOString() : undefined;
  for (const [minuteNumber, { refused: reasons = new Map<RefusalReason, number>(), ...counts }] of minutes) {
    const minute = new Date(minuteNumber * MINUTE_MS).toISOString();
    const refused = [...reasons.values()].reduce((sum, count) => sum + count, 0);
    for (const subject of subjects) {
      const countedSubject = { ...subject, minutes: [{ minute, ...counts, refused }] };
      yield subject.dimension === 'key' && lastUsedAt ? { ...countedSubject, lastUsedAt } : countedSubject;
      for (const [reason, count] of reasons)
        yield { ...subject, reason, minutes: [{ minute, ...createCounts(), refused: count }] };
    }
  }
}
