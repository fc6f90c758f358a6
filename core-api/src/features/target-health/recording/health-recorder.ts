import type { EntityManager } from 'typeorm';
import { chunks } from '../../../platform/collections/chunks';
import type { Database } from '../../../platform/database/database';
import { readTablePages } from '../../../platform/database/queries/table-pages';
import { splitByDay } from '../../../platform/time/local-time';
import { hasPassed } from '../../../platform/time/relative-time';
import { TargetHealth } from '../target-health.entity';
import { storeIncidents, type Transition } from './incidents';
import { type DayRow, NO_SECONDS, SecondsByDay, storeDays } from './seconds-by-day';
import {
  applyProbe,
  type ConfirmedState,
  createInitialState,
  hasContradiction,
  listPeriods,
  type Period,
  type TrackedState,
} from './target-tracker';

/** Maximum number of targets in one write, because administrators' writes wait until that write ends. */
const BATCH_TARGETS = 200;

/** The columns that a new result replaces. */
const REPLACED_COLUMNS = [
  'state',
  'status',
  'ms',
  'checkedAt',
  'reason',
  'confirmed',
  'confirmedSince',
  'countedUntil',
] satisfies (keyof TargetHealth)[];

/** Inserts or replaces rows. `manager.upsert` would read all rows again for their default values. */
async function storeResults(manager: EntityManager, rows: TargetHealth[]): Promise<void> {
  const insertion = manager.createQueryBuilder().insert().into(TargetHealth).values(rows).updateEntity(false);
  await insertion.orUpdate(REPLACED_COLUMNS, ['target', 'machineId']).execute();
}

export type CheckResult = Pick<TargetHealth, 'state' | 'status' | 'ms' | 'checkedAt' | 'reason'>;

interface HealthEntry {
  result: CheckResult;
  trackedState: TrackedState;
  /** Time up to which the seconds of the confirmed state are counted, ms since the epoch. */
  countedUntil: number;
  /** True if the outcome or the confirmed state has changed since the row was stored. */
  isChanged: boolean;
}

const isSameOutcome = (a: CheckResult, b: CheckResult): boolean => a.state === b.state && a.reason === b.reason;

interface RecorderOptions {
  database: Database;
  /** Id of the machine that checks the targets; empty for targets that all machines share. */
  machineId: string;
  timeZone: string;
  /** Interval at which unchanged results and the seconds of a day are written, ms. */
  flushIntervalMs: number;
  /** Maximum time between two checks, ms. A longer time counts as unknown. */
  maxGapMs: number;
}

/**
 * Stores the results of this process's checks in batches, so that 10,000 targets cause few writes. Changed states are
 * stored with the next flush, unchanged ones after `flushIntervalMs`. After a kill, the next process counts the time
 * since `countedUntil` of the stored row. It counts a time longer than `maxGapMs` as unknown.
 */
export class HealthRecorder {
  private readonly entries = new Map<string, HealthEntry>();
  /** Entries of targets that no host has any more, until their seconds are written. */
  private readonly removedEntries = new Map<string, HealthEntry>();
  /** Seconds that are not written yet. */
  private readonly pendingSeconds = new SecondsByDay();
  /** Seconds that a flush is writing. */
  private readonly inFlightSeconds = new SecondsByDay();
  private transitions: Transition[] = [];
  private allWrittenAt = Date.now();

  constructor(private readonly options: RecorderOptions) {}

  get machineId(): string {
    return this.options.machineId;
  }

  /** Continues with the states that an earlier process stored. */
  async load(): Promise<void> {
    const { database, machineId } = this.options;
    this.entries.clear();
    this.removedEntries.clear();
    this.pendingSeconds.clear();
    this.inFlightSeconds.clear();
    this.transitions = [];
    const pages = readTablePages<TargetHealth>(database.read, {
      table: 'target_health',
      columns: 'target, state, status, ms, "checkedAt", reason, confirmed, "confirmedSince", "countedUntil"',
      where: '"machineId" = $2',
      values: [machineId],
      key: 'target',
    });
    for await (const rows of pages) for (const row of rows) this.restoreEntry(row);
  }

  private restoreEntry({ target, confirmed, confirmedSince, countedUntil, ...result }: TargetHealth): void {
    const { checkedAt, reason } = result;
    this.entries.set(target, {
      result,
      trackedState: { ...createInitialState(Date.parse(confirmedSince ?? checkedAt)), confirmed, reason },
      countedUntil: Date.parse(countedUntil ?? checkedAt),
      isChanged: false,
    });
  }

  /** The last result of a target in this process. */
  findResult(target: string): CheckResult | undefined {
    return this.entries.get(target)?.result;
  }

  isFailing(target: string): boolean {
    return this.findResult(target)?.state === 'down';
  }

  /** Whether the last check contradicted the confirmed state. */
  hasContradiction(target: string): boolean {
    const entry = this.entries.get(target);
    return entry !== undefined && hasContradiction(entry.trackedState);
  }

  /** Records a result. Without `isCertain` a failure counts as unknown, because this machine may have no network. */
  record(target: string, result: CheckResult, { isCertain = true } = {}): void {
    const at = Date.parse(result.checkedAt);
    const entry = this.entries.get(target);
    const trackedBefore = entry?.trackedState ?? createInitialState(at);
    const isUp = isCertain ? result.state === 'up' : undefined;
    const trackedState = applyProbe(trackedBefore, { isUp, at, reason: result.reason });
    const isTransition = trackedState.confirmed !== trackedBefore.confirmed;
    if (isTransition) this.transitions.push({ target, trackedState });
    const periods = listPeriods(trackedBefore, trackedState, at);
    const countedUntil = this.countPeriods(target, entry?.countedUntil ?? at, at, periods);
    const isChanged = isTransition || !entry || entry.isChanged || !isSameOutcome(entry.result, result);
    this.removedEntries.delete(target);
    this.entries.set(target, { result, trackedState, countedUntil, isChanged });
  }

  /** Counts the periods before a check. A long gap counts as unknown. @returns the end of the counted time */
  private countPeriods(target: string, from: number, at: number, periods: readonly Period[]): number {
    const isGap = at - from > this.options.maxGapMs;
    let countedUntil = from;
    for (const { state, until } of isGap ? [{ state: 'unknown' as const, until: at }] : periods) {
      this.countSeconds(target, state, countedUntil, until);
      countedUntil = Math.max(countedUntil, until);
    }
    return countedUntil;
  }

  /** Forgets targets outside of `targets`, which no host has any more. The next flush writes their counted seconds. */
  keepOnly(targets: ReadonlySet<string>): void {
    for (const [target, entry] of this.entries) {
      if (targets.has(target)) continue;
      this.entries.delete(target);
      this.removedEntries.set(target, entry);
    }
  }

  /** Writes the rows that are due; with `isForced`, before a stop, all rows. */
  async flush({ isForced = false } = {}): Promise<void> {
    const now = Date.now();
    const shouldWriteAll = isForced || hasPassed(this.allWrittenAt, this.options.flushIntervalMs);
    const targets = [...this.removedEntries.keys()];
    for (const [target, { isChanged }] of this.entries) if (shouldWriteAll || isChanged) targets.push(target);
    // Targets are sorted like the stored rows, so that a write changes few pages of the file.
    targets.sort();
    for (const batch of chunks(targets, BATCH_TARGETS)) await this.write(batch);
    if (shouldWriteAll) this.allWrittenAt = now;
  }

  /**
   * Writes rows, seconds and incidents of some targets in one transaction, because the stored seconds must end at the
   * row's `countedUntil`.
   */
  private async write(targets: readonly string[]): Promise<void> {
    const entries = targets.flatMap((target) => {
      const entry = this.entries.get(target) ?? this.removedEntries.get(target);
      return entry ? [[target, entry] as const] : [];
    });
    const rows = entries.map(([target, entry]) => this.toRow(target, entry));
    // Checks may add transitions while the transitions of this batch are written.
    const targetSet = new Set(targets);
    const transitions = new Set(this.transitions.filter(({ target }) => targetSet.has(target)));
    this.beginWriting(targets);
    const dayRows = targets.flatMap((target) => this.createDayRows(this.inFlightSeconds, target));
    await this.options.database.concurrentWrite(async (manager) => {
      await storeResults(manager, rows);
      await storeDays(manager, dayRows);
      await storeIncidents(manager, this.machineId, transitions);
    });
    for (const target of targets) this.inFlightSeconds.delete(target);
    this.transitions = this.transitions.filter((transition) => !transitions.has(transition));
    for (const [target, entry] of entries) {
      if (this.entries.get(target) === entry) entry.isChanged = false;
      if (this.removedEntries.get(target) === entry) this.removedEntries.delete(target);
    }
  }

  private toRow(target: string, { result, trackedState, countedUntil }: HealthEntry): TargetHealth {
    return {
      target,
      machineId: this.options.machineId,
      ...result,
      confirmed: trackedState.confirmed,
      confirmedSince: new Date(trackedState.since).toISOString(),
      countedUntil: new Date(countedUntil).toISOString(),
    };
  }

  private countSeconds(target: string, state: ConfirmedState, from: number, until: number): void {
    for (const { day, ms } of splitByDay(from, until, this.options.timeZone))
      this.pendingSeconds.add(target, day, { ...NO_SECONDS, [state]: ms / 1000 });
  }

  /** Moves the seconds of these targets to `inFlightSeconds`, which may still have seconds of a failed flush. */
  private beginWriting(targets: readonly string[]): void {
    for (const target of targets) {
      for (const [day, seconds] of this.pendingSeconds.listDays(target)) this.inFlightSeconds.add(target, day, seconds);
      this.pendingSeconds.delete(target);
    }
  }

  /** Lists the seconds of a target that are not written yet, by day. */
  listUnwrittenDays(target: string): DayRow[] {
    return [this.pendingSeconds, this.inFlightSeconds].flatMap((seconds) => this.createDayRows(seconds, target));
  }

  private createDayRows(secondsByDay: SecondsByDay, target: string): DayRow[] {
    const { machineId } = this.options;
    return secondsByDay.listDays(target).map(([day, seconds]) => ({ target, machineId, day, ...seconds }));
  }
}
