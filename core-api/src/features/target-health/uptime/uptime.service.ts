import { In, IsNull, MoreThan, MoreThanOrEqual, Or } from 'typeorm';
import type { ProjectLimit } from '../../../platform/database/changes/change-context';
import type { Database } from '../../../platform/database/database';
import { RuleError } from '../../../platform/errors/rule-error';
import { hashProbeTarget, type ProbeTarget } from '../../../platform/net/probe-target';
import { splitByDay, toWallTime } from '../../../platform/time/local-time';
import { DAY_MS } from '../../../platform/time/relative-time';
import type { HealthRecorder } from '../recording/health-recorder';
import { addSeconds, NO_SECONDS, SecondsByDay, type StateSeconds } from '../recording/seconds-by-day';
import { TargetDay, TargetIncident } from '../target-health.entity';
import { targetHealthMessages as messages } from '../target-health.messages';
import { MAX_DAYS, type Uptime, type UptimeQuery, type Uptimes, type UptimesQuery } from './uptime.schema';

const MAX_INCIDENTS = 200;

/** An interval in ms since the epoch. */
export interface Interval {
  from: number;
  until: number;
}

/** A host whose uptime is requested. */
export interface UptimeSubject {
  type: 'subdomain' | 'tenant';
  id: string;
  /** The label of a subdomain, or the id of a tenant. */
  labelOrId: string;
  target: ProbeTarget | undefined;
  /** ISO 8601. Earlier results of the target do not count as uptime of this host. */
  createdAt: string;
}

interface UptimeOptions {
  database: Database;
  timeZone: string;
  /** Recorders with seconds that are not written yet. */
  recorders: readonly HealthRecorder[];
  /** Finds hosts by `labelOrId`. Unknown hosts and hosts of projects that the caller may not see are left out. */
  findSubjects: (type: UptimeSubject['type'], names: string[], projectLimit: ProjectLimit) => Promise<UptimeSubject[]>;
  createMaintenanceLookup: (interval: Interval) => Promise<(subject: UptimeSubject) => Interval[]>;
}

/** Uptime in percent of the known time, rounded down to two decimals; null while nothing is known. */
function calculatePercent({ up, down }: StateSeconds): number | null {
  // Rounding errors leave about 1e-13 s of a subtracted outage, so the values are rounded to milliseconds.
  const [upMs, downMs] = [Math.round(up * 1000), Math.round(down * 1000)];
  return upMs + downMs > 0 ? Math.floor((upMs / (upMs + downMs)) * 10_000) / 100 : null;
}

const toAvailability = (seconds: StateSeconds) => ({
  percent: calculatePercent(seconds),
  downSeconds: Math.round(seconds.down),
  unknownSeconds: Math.round(seconds.unknown),
});

/** Merges overlapping intervals, so that no second is in two of them. */
function mergeIntervals(intervals: readonly Interval[]): Interval[] {
  const merged: Interval[] = [];
  for (const { from, until } of intervals.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last && from <= last.until) last.until = Math.max(last.until, until);
    else merged.push({ from, until });
  }
  return merged;
}

const sumDays = (days: ReadonlyMap<string, StateSeconds>): StateSeconds =>
  [...days.values()].reduce(addSeconds, NO_SECONDS);

/** The availability of hosts over up to 90 days. */
export class UptimeService {
  constructor(private readonly options: UptimeOptions) {}

  /** Returns the uptime of one host, with its incidents. @throws RuleError notFound */
  async get({ days, subdomain, tenant }: UptimeQuery, projectLimit: ProjectLimit): Promise<Uptime> {
    const [subject] = await (subdomain === undefined
      ? this.options.findSubjects('tenant', [tenant ?? ''], projectLimit)
      : this.options.findSubjects('subdomain', [subdomain], projectLimit));
    if (!subject) throw new RuleError('notFound', messages.uptimeNotFound);
    const { dayNames, getHistory } = await this.readHistories([subject], days);
    const { secondsByDay, incidents } = getHistory(subject);
    return {
      ...toAvailability(sumDays(secondsByDay)),
      days: dayNames.map((day) => ({ day, ...toAvailability(secondsByDay.get(day) ?? NO_SECONDS) })),
      incidents: incidents.slice(0, MAX_INCIDENTS),
    };
  }

  /** Returns the uptimes of several hosts. The number of queries does not depend on the number of hosts. */
  async list({ subdomains, tenants }: UptimesQuery, projectLimit: ProjectLimit): Promise<Uptimes> {
    const subjects = await (subdomains === undefined
      ? this.options.findSubjects('tenant', tenants ?? [], projectLimit)
      : this.options.findSubjects('subdomain', subdomains, projectLimit));
    const { dayNames, getHistory } = await this.readHistories(subjects, MAX_DAYS);
    const uptimes = subjects.map((subject) => {
      const { secondsByDay, incidents } = getHistory(subject);
      const total = sumDays(secondsByDay);
      const [lastIncident] = incidents;
      return {
        id: subject.labelOrId,
        percent: calculatePercent(total),
        downSeconds: Math.round(total.down),
        days: dayNames.map((day) => calculatePercent(secondsByDay.get(day) ?? NO_SECONDS)),
        incidents: incidents.length,
        lastIncident: lastIncident ? { startedAt: lastIncident.startedAt, endedAt: lastIncident.endedAt } : null,
      };
    });
    return { since: dayNames[0] ?? '', uptimes };
  }

  /** Reads each host's seconds by day, corrected by `markUnknown`, and the incidents of these days. */
  private async readHistories(subjects: readonly UptimeSubject[], days: number) {
    const now = Date.now();
    const { timeZone, createMaintenanceLookup } = this.options;
    const toDayName = (_: unknown, index: number) => toWallTime(now - (days - 1 - index) * DAY_MS, timeZone).day;
    const dayNames = Array.from({ length: days }, toDayName);
    const interval = { from: now - days * DAY_MS, until: now };
    const toTargetKey = ({ target }: UptimeSubject) => target && hashProbeTarget(target);
    const targetKeys = [...new Set(subjects.flatMap((subject) => toTargetKey(subject) ?? []))];
    const [targetOutages, seconds, findMaintenance] = await Promise.all([
      this.findOutages(targetKeys, interval),
      this.sumSeconds(targetKeys, dayNames),
      createMaintenanceLookup(interval),
    ]);
    // An outage without an end lasts until `readAt`, after the reads, because the rows may have seconds after `now`.
    const readAt = Date.now();
    const getHistory = (subject: UptimeSubject) => {
      const targetKey = toTargetKey(subject);
      // Each host gets its own map of days, because hosts may share a target but not their maintenance windows.
      const targetDays = targetKey === undefined ? [] : seconds.listDays(targetKey);
      const createdMs = Date.parse(subject.createdAt);
      const firstDay = toWallTime(createdMs, timeZone).day;
      const secondsByDay = new Map(targetDays.filter(([day]) => day >= firstDay));
      const outages = targetOutages.filter((outage) => outage.target === targetKey);
      const excludedIntervals = mergeIntervals([{ from: 0, until: createdMs }, ...findMaintenance(subject)]);
      this.markUnknown(excludedIntervals, secondsByDay, outages, readAt);
      const ownIncidents = outages.filter(({ endedAt }) => endedAt === null || Date.parse(endedAt) > createdMs);
      return { secondsByDay, incidents: ownIncidents };
    };
    return { dayNames, getHistory };
  }

  /** Lists the outages that end in the interval or continue, the newest first. */
  private async findOutages(targets: readonly string[], { from }: Interval): Promise<TargetIncident[]> {
    if (targets.length === 0) return [];
    return this.options.database.read.find(TargetIncident, {
      where: { target: In([...targets]), endedAt: Or(IsNull(), MoreThan(new Date(from).toISOString())) },
      order: { startedAt: 'DESC' },
      take: MAX_INCIDENTS * targets.length,
    });
  }

  /** Seconds by target and day, summed over all machines. */
  private async sumSeconds(targets: readonly string[], days: readonly string[]): Promise<SecondsByDay> {
    const { database, recorders } = this.options;
    const sums = new SecondsByDay();
    if (targets.length === 0) return sums;
    const since = MoreThanOrEqual(days[0] ?? '');
    for (const row of await database.read.findBy(TargetDay, { target: In([...targets]), day: since }))
      sums.add(row.target, row.day, { up: row.upSeconds, down: row.downSeconds, unknown: row.unknownSeconds });
    const unwrittenRows = targets.flatMap((target) =>
      recorders.flatMap((recorder) => recorder.listUnwrittenDays(target)),
    );
    for (const { target, day, up, down, unknown } of unwrittenRows)
      if (days.includes(day)) sums.add(target, day, { up, down, unknown });
    return sums;
  }

  /** Seconds of an outage within these intervals (maintenance, the time before the host's creation) become unknown. */
  private markUnknown(
    intervals: readonly Interval[],
    secondsByDay: Map<string, StateSeconds>,
    outages: readonly TargetIncident[],
    readAt: number,
  ): void {
    const parts = outages.flatMap(({ startedAt, endedAt }) => {
      const [start, end] = [Date.parse(startedAt), endedAt ? Date.parse(endedAt) : readAt];
      return intervals.flatMap(({ from, until }) =>
        splitByDay(Math.max(start, from), Math.min(end, until), this.options.timeZone),
      );
    });
    for (const { day, ms } of parts) {
      const seconds = secondsByDay.get(day);
      if (!seconds) continue;
      const movedSeconds = Math.min(ms / 1000, seconds.down);
      secondsByDay.set(day, addSeconds(seconds, { up: 0, down: -movedSeconds, unknown: movedSeconds }));
    }
  }
}
