import { type CountedSubject, type MinuteCounts, subjectKey } from '../../platform/usage/counted-subject';

/** Adds `more` to `sum`, subject by subject. */
export function mergeUsage(sum: Map<string, CountedSubject>, more: Iterable<CountedSubject>): void {
  for (const subject of more) {
    const name = subjectKey(subject);
    let merged = sum.get(name);
    if (!merged) {
      merged = { ...subject, minutes: [] };
      sum.set(name, merged);
    }
    const { lastUsedAt } = subject;
    if (lastUsedAt !== undefined && lastUsedAt > (merged.lastUsedAt ?? '')) merged.lastUsedAt = lastUsedAt;
    for (const minute of subject.minutes) addMinute(merged.minutes, minute);
  }
}

function addMinute(minutes: MinuteCounts[], more: MinuteCounts): void {
  const existing = minutes.findLast(({ minute }) => minute === more.minute);
  if (!existing) {
    minutes.push({ ...more });
    return;
  }
  existing.requests += more.requests;
  existing.errors4xx += more.errors4xx;
  existing.errors5xx += more.errors5xx;
  existing.refused += more.refused;
  existing.durationMs += more.durationMs;
  existing.latency = existing.latency.map((count, bucket) => count + (more.latency[bucket] ?? 0));
}

/** Merges the minutes of each hour into its first minute. */
export function mergeHours(usage: Iterable<CountedSubject>): Map<string, CountedSubject> {
  const sum = new Map<string, CountedSubject>();
  for (const { minutes, ...subject } of usage) {
    const hours = minutes.map((counts) => ({ ...counts, minute: `${counts.minute.slice(0, 13)}:00:00.000Z` }));
    mergeUsage(sum, [{ ...subject, minutes: hours }]);
  }
  return sum;
}

/** Number of minutes over all subjects. */
export function countEntries(usage: Iterable<CountedSubject>): number {
  let entries = 0;
  for (const { minutes } of usage) entries += minutes.length;
  return entries;
}

/** Allowed requests of a subject. */
export const countRequests = ({ minutes }: CountedSubject): number =>
  minutes.reduce((sum, { requests }) => sum + requests, 0);

/** Splits usage into batches of at most `maxEntries`. A subject with more entries is a batch of its own. */
export function splitUsage(usage: Iterable<CountedSubject>, maxEntries: number): CountedSubject[][] {
  const parts: CountedSubject[][] = [];
  let room = 0;
  for (const subject of usage) {
    const { length } = subject.minutes;
    if (length > room) {
      parts.push([]);
      room = maxEntries;
    }
    parts.at(-1)?.push(subject);
    room -= length;
  }
  return parts;
}
