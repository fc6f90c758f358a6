import { type EntityManager, IsNull } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { chunks } from '../../platform/chunks';
import type { Database } from '../../platform/database/database';
import { insertAll } from '../../platform/database/insert-all';
import { splitByDay } from '../../platform/time/local-time';
import { TargetHealth, TargetIncident } from './target-health.entity';
import { type ConfirmedState, certainUntil, isInDoubt, type TrackedState, track, untracked } from './target-tracker';

const BATCH_ROWS = 200;

type DaySeconds = Map<string, Map<string, Record<ConfirmedState, number>>>;

function addSeconds(days: DaySeconds, target: string, day: string, added: Record<ConfirmedState, number>): void {
  const ofTarget = days.get(target) ?? new Map<string, Record<ConfirmedState, number>>();
  const { up, down, unknown } = ofTarget.get(day) ?? { up: 0, down: 0, unknown: 0 };
  ofTarget.set(day, { up: up + added.up, down: down + added.down, unknown: unknown + added.unknown });
  days.set(target, ofTarget);
}

/** Result of one check. */
export type CheckResult = Pick<TargetHealth, 'state' | 'status' | 'ms' | 'checkedAt' | 'reason'>;

interface Entry {
  result: CheckResult;
  tracked: TrackedState;
  /** Until when the seconds of the confirmed state are counted, ms since the epoch. */
  countedUntil: number;
  /** The stored row differs from the current state of the target. */
  changed: boolean;
}

interface RecorderOptions {
  database: Database;
  /** The machine whose targets these are; empty for targets that all machines share. */
  machineId: string;
  timeZone: string;
  /** How often unchanged results and the seconds of a day are written, ms. */
  flushIntervalMs: number;
  /** A longer time without a check counts as unknown, ms. */
  maxGapMs: number;
}

/**
 * Stores the results of this process's checks in batches, so that 10,000 targets cause few writes. Changed states are stored
 * with the next flush, unchanged ones after `flushIntervalMs`. A killed process loses the seconds since the last flush, which count
 * as unknown.
 */
export class HealthRecorder {
  private readonly entries = new Map<string, Entry>();
  /** Entries of targets that no host has any more, until their seconds are written. */
  private readonly removed = new Map<string, Entry>();
  /** Seconds that are not written yet, by target and day. */
  private readonly days: DaySeconds = new Map();
  /** Seconds that a flush is writing. */
  private readonly writing: DaySeconds = new Map();
  private transitions: { target: string; tracked: TrackedState }[] = [];
  private allWrittenAt = Date.now();

  constructor(private readonly options: RecorderOptions) {}

  get machineId(): string {
    return this.options.machineId;
  }

  /** Continues with the states that an earlier process stored. */
  async load(): Promise<void> {
    const { database, machineId } = this.options;
    this.entries.clear();
    this.removed.clear();
    this.days.clear();
    this.writing.clear();
    this.transitions = [];
    for (const row of await database.read.findBy(TargetHealth, { machineId })) {
      const { state, status, ms, checkedAt, reason } = row;
      const since = Date.parse(row.confirmedSince ?? checkedAt);
      this.entries.set(row.target, {
        result: { state, status, ms, checkedAt, reason },
        tracked: { ...untracked(since), confirmed: row.confirmed, reason },
        countedUntil: Date.parse(row.countedUntil ?? checkedAt),
        changed: false,
      });
    }
  }

  /** The last result of a target in this process. */
  resultOf(target: string): CheckResult | undefined {
    return this.entries.get(target)?.result;
  }

  isFailing(target: string): boolean {
    return this.resultOf(target)?.state === 'down';
  }

  /** Whether the last check contradicted the confirmed state. */
  isInDoubt(target: string): boolean {
    const entry = this.entries.get(target);
    return entry !== undefined && isInDoubt(entry.tracked);
  }

  /** @param seesNetwork false if this machine's own network may have failed; the result is then unknown */
  record(target: string, result: CheckResult, seesNetwork = true): void {
    const at = Date.parse(result.checkedAt);
    const known = this.entries.get(target);
    const before = known?.tracked ?? untracked(at);
    const up = result.state === 'up' ? true : seesNetwork ? false : undefined;
    const tracked = track(before, { up, at, reason: result.reason });
    const isTransition = tracked.confirmed !== before.confirmed;
    let countedUntil = known?.countedUntil ?? at;
    const count = (state: ConfirmedState, until: number) => {
      this.countSeconds(target, state, countedUntil, until);
      countedUntil = Math.max(countedUntil, until);
    };
    if (at - countedUntil > this.options.maxGapMs) count('unknown', at);
    count(before.confirmed, isTransition ? tracked.since : certainUntil(tracked, at));
    if (isTransition) {
      count(tracked.confirmed, at);
      this.transitions.push({ target, tracked });
    }
    const isChanged = isTransition || known?.result.state !== result.state || known.result.reason !== result.reason;
    this.removed.delete(target);
    this.entries.set(target, {
      result,
      tracked,
      countedUntil,
      changed: isChanged || (known?.changed ?? true),
    });
  }

  /** Forgets targets that no host has any more; their seconds up to now are written. */
  keepOnly(targets: ReadonlySet<string>): void {
    for (const [target, entry] of this.entries) {
      if (targets.has(target)) continue;
      this.entries.delete(target);
      this.removed.set(target, entry);
    }
  }

  /** Writes due rows. @param all writes everything, for a stop */
  async flush(all = false): Promise<void> {
    const now = Date.now();
    const isDue = all || now - this.allWrittenAt >= this.options.flushIntervalMs;
    const written = [...this.removed, ...[...this.entries].filter(([, entry]) => isDue || entry.changed)];
    // The seconds belong to `countedUntil` of the same rows: both are written together, or not at all.
    const rows = written.map(([target, entry]) => this.rowOf(target, entry));
    // A copy: checks add further transitions while these are written.
    const transitions = [...this.transitions];
    if (rows.length === 0 && transitions.length === 0) return;
    this.beginWriting(rows.map(({ target }) => target));
    const days = [...this.writing].flatMap(([target, ofTarget]) => this.rowsOfDays(target, ofTarget));
    await this.options.database.concurrentWrite(async (manager) => {
      for (const batch of chunks(rows, BATCH_ROWS)) await manager.upsert(TargetHealth, batch, ['target', 'machineId']);
      await this.addDays(manager, days);
      await this.writeIncidents(manager, transitions);
    });
    this.writing.clear();
    this.transitions = this.transitions.slice(transitions.length);
    for (const [target, entry] of written) {
      if (this.entries.get(target) === entry) entry.changed = false;
      if (this.removed.get(target) === entry) this.removed.delete(target);
    }
    if (isDue) this.allWrittenAt = now;
  }

  private rowOf(target: string, { result, tracked, countedUntil }: Entry): TargetHealth {
    return {
      target,
      machineId: this.options.machineId,
      ...result,
      confirmed: tracked.confirmed,
      confirmedSince: new Date(tracked.since).toISOString(),
      countedUntil: new Date(countedUntil).toISOString(),
    };
  }

  private countSeconds(target: string, state: ConfirmedState, from: number, until: number): void {
    for (const { day, ms } of splitByDay(from, until, this.options.timeZone))
      addSeconds(this.days, target, day, { up: 0, down: 0, unknown: 0, [state]: ms / 1000 });
  }

  /** Moves the seconds of these targets to `writing`, where those of a failed flush still are. */
  private beginWriting(targets: readonly string[]): void {
    for (const target of targets) {
      const ofTarget = this.days.get(target);
      this.days.delete(target);
      for (const [day, seconds] of ofTarget ?? []) addSeconds(this.writing, target, day, seconds);
    }
  }

  /** Seconds of a target that are not written yet, by day. */
  unwrittenDays(target: string) {
    return [this.days, this.writing].flatMap((days) => this.rowsOfDays(target, days.get(target) ?? new Map()));
  }

  private rowsOfDays(target: string, days: ReadonlyMap<string, Record<ConfirmedState, number>>) {
    const { machineId } = this.options;
    return [...days].map(([day, { up, down, unknown }]) => ({ target, machineId, day, up, down, unknown }));
  }

  private async addDays(manager: EntityManager, days: ReturnType<HealthRecorder['unwrittenDays']>): Promise<void> {
    for (const { target, machineId, day, up, down, unknown } of days) {
      await manager.query(
        `INSERT INTO target_days (target, "machineId", day, "upSeconds", "downSeconds", "unknownSeconds")
          VALUES ($1, $2, $3, $4, $5, $6)
          ON CONFLICT (target, "machineId", day) DO UPDATE SET
            "upSeconds" = target_days."upSeconds" + excluded."upSeconds",
            "downSeconds" = target_days."downSeconds" + excluded."downSeconds",
            "unknownSeconds" = target_days."unknownSeconds" + excluded."unknownSeconds"`,
        [target, machineId, day, up, down, unknown],
      );
    }
  }

  /** Opens an incident for each confirmed outage, and ends those of targets that are no longer down. */
  private async writeIncidents(
    manager: EntityManager,
    transitions: readonly { target: string; tracked: TrackedState }[],
  ): Promise<void> {
    const { machineId } = this.options;
    for (const { target, tracked } of transitions) {
      const at = new Date(tracked.since).toISOString();
      if (tracked.confirmed === 'down') {
        const incident = { _id: uuid(), target, machineId, startedAt: at, endedAt: null, reason: tracked.reason };
        await insertAll(manager, TargetIncident, [incident]);
      } else {
        await manager.update(TargetIncident, { target, machineId, endedAt: IsNull() }, { endedAt: at });
      }
    }
  }
}
