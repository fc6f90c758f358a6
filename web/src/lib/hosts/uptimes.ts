import { useEffect, useSyncExternalStore } from 'react';
import { whenIdle } from '../browser/whenIdle';
import type { HostUptimesQuery } from '../graphql/generated/shared';
import { createEmitter } from '../store';

/** The uptime of a host over 90 days. `percent` is null if no check of that time is known. */
type HostUptime = HostUptimesQuery['uptimes']['uptimes'][number];

export const UPTIME_LEVELS = ['unknown', 'good', 'fair', 'bad'] as const;
/** An uptime of at least `GOOD_PERCENT` is good, and an uptime below `BAD_PERCENT` is bad. */
const GOOD_PERCENT = 99.9;
const BAD_PERCENT = 95;

export function toUptimeLevel(percent: number | null | undefined): (typeof UPTIME_LEVELS)[number] {
  if (typeof percent !== 'number') return 'unknown';
  if (percent >= GOOD_PERCENT) return 'good';
  return percent < BAD_PERCENT ? 'bad' : 'fair';
}

/** Maximum number of hosts in one call. */
const BATCH_SIZE = 100;
/** An uptime older than this time is read again when its row is shown. */
const FRESH_MS = 5 * 60_000;

/**
 * Reads the uptimes of the visible rows in batches when the page is idle. Apollo's `useQuery` would send one query per
 * row, or read all visible rows again for each row that comes into view.
 */
export class UptimeReader {
  private readonly uptimes = new Map<string, HostUptime>();
  /** The last request for each host: its time in ms since the epoch, and its `checkedAt`. */
  private readonly requests = new Map<string, { at: number; checkedAt: string | null | undefined }>();
  private waitingIds: string[] = [];
  private readonly changes = createEmitter();
  readonly subscribe = this.changes.subscribe;

  /** @param read reads the uptimes of up to 100 hosts */
  constructor(private readonly read: (ids: string[]) => Promise<readonly HostUptime[]>) {}

  get(id: string): HostUptime | undefined {
    return this.uptimes.get(id);
  }

  /** Reads an uptime that is older than 5 minutes or, with `checkedAt`, was not yet requested after that check. */
  request(id: string, checkedAt?: string | null): void {
    const last = this.requests.get(id);
    if (last && (checkedAt === undefined ? Date.now() - last.at < FRESH_MS : checkedAt === last.checkedAt)) return;
    this.requests.set(id, { at: Date.now(), checkedAt });
    this.waitingIds.push(id);
    if (this.waitingIds.length === 1) void whenIdle().then(() => this.readWaiting());
  }

  private async readWaiting(): Promise<void> {
    const ids = this.waitingIds;
    this.waitingIds = [];
    for (let start = 0; start < ids.length; start += BATCH_SIZE) {
      // A failure is not shown, because the list is useful without uptimes.
      const results = await this.read(ids.slice(start, start + BATCH_SIZE)).catch(() => []);
      for (const uptime of results) this.uptimes.set(uptime.id, uptime);
      this.changes.emit();
    }
  }
}

export const hasOngoingIncident = ({ lastIncident }: HostUptime): boolean =>
  lastIncident != null && lastIncident.endedAt == null;

/**
 * The uptime of a row; undefined until it was read. An uptime that contradicts the last check is read again after each
 * check, because an outage becomes an incident only when further checks confirm it.
 */
export function useUptime(
  reader: UptimeReader,
  id: string,
  { isDown, checkedAt }: { isDown: boolean; checkedAt: string | null },
): HostUptime | undefined {
  const uptime = useSyncExternalStore(reader.subscribe, () => reader.get(id));
  const isContradicted = uptime !== undefined && hasOngoingIncident(uptime) !== isDown;
  useEffect(() => reader.request(id, isContradicted ? checkedAt : undefined), [reader, id, isContradicted, checkedAt]);
  return uptime;
}
