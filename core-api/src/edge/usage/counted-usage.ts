import { type CountedSubject, type MinuteCounts, toSubjectKey } from '../../platform/usage/counted-subject';

/** Adds `added` to `sum`, subject by subject. */
export function mergeUsage(sum: Map<string, CountedSubject>, added: Iterable<CountedSubject>): void {
  for (const subject of added) {
    const key = toSubjectKey(subject);
    let merged = sum.get(key);
    if (!merged) {
      merged = { ...subject, minutes: [] };
      sum.set(key, merged);
    }
    const { lastUsedAt } = subject;
    if (lastUsedAt !== undefined && lastUsedAt > (merged.lastUsedAt ?? '')) merged.lastUsedAt = lastUsedAt;
    for (const minute of subject.minutes) addMinute(merged.minutes, minute);
  }
}

function addMinute(minutes: MinuteCounts[], added: MinuteCounts): void {
  const existing = minutes.findLast(({ minute }) => minute === added.minute);
  if (!existing) {
    minutes.push({ ...added });
    return;
  }
  existing.requests += added.requests;
  existing.errors4xx += added.errors4xx;
  existing.errors5xx += added.errors5xx;
  existing.refused += added.refused;
  existing.durationMs += added.durationMs;
  existing.latency = existing.latency.map((count, bucket) => count + (added.latency[bucket] ?? 0));
}

/** Merges the minutes of each hour into its first minute. */
export function mergeByHour(usage: Iterable<CountedSubject>): Map<string, CountedSubject> {
  const sum = new Map<string, CountedSubject>();
  for (const { minutes, ...subject } of usage) {
    const hours = minutes.map((counts) => ({ ...counts, minute: `${counts.minute.slice(0, 13)}:00:00.000Z` }));
    mergeUsage(sum, [{ ...subject, minutes: hours }]);
  }
  return sum;
}

/** Returns the number of entries. An entry has the counts of one subject in one minute. */
export function countEntries(usage: Iterable<CountedSubject>): number {
  let entryCount = 0;
  for (const { minutes } of usage) entryCount += minutes.length;
  return entryCount;
}

/** Returns the number of allowed requests of a subject. */
export const countRequests = ({ minutes }: CountedSubject): number =>
  minutes.reduce((sum, { requests }) => sum + requests, 0);

/** Splits usage into batches of at most `maxEntries` entries. A subject with more entries is alone in its batch. */
export function splitUsage(usage: Iterable<CountedSubject>, maxEntries: number): CountedSubject[][] {
  const batches: CountedSubject[][] = [];
  let remainingEntries = 0;
  for (const subject of usage) {
    const { length } = subject.minutes;
    if (length > remainingEntries) {
      batches.push([]);
      remainingEntries = maxEntries;
    }
    batches.at(-1)?.push(subject);
    remainingEntries -= length;
  }
  return batches;
}
