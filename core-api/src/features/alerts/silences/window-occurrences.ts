import { toWallTime } from '../../../platform/time/local-time';
import { DAY_MS, MINUTE_MS } from '../../../platform/time/units';
import type { Alert, AlertFlap } from '../alert.entity';
import type { MaintenanceWindow, Mute } from '../alert-settings.entity';
import { toAlertKey } from '../conditions/alert-engine';

export type WindowTimes = Pick<MaintenanceWindow, 'startsAt' | 'endsAt' | 'weekdays'>;

/** The occurrences of a maintenance window that overlap an interval; all values in ms since the epoch. */
export function findOccurrences(
  { startsAt, endsAt, weekdays }: WindowTimes,
  { from, until }: { from: number; until: number },
  timeZone: string,
): { from: number; until: number }[] {
  const firstStart = Date.parse(startsAt);
  const durationMs = Date.parse(endsAt) - firstStart;
  const overlaps = (start: number) => start < until && start + durationMs > from;
  if (weekdays.length === 0) return overlaps(firstStart) ? [{ from: firstStart, until: firstStart + durationMs }] : [];
  const { minutes } = toWallTime(firstStart, timeZone);
  const occurrences: { from: number; until: number }[] = [];
  for (let instant = Math.max(firstStart, from - durationMs - DAY_MS); instant < until + DAY_MS; instant += DAY_MS) {
    // The start has the window's wall time on the day of this instant, even if the UTC offset has changed.
    const minutesToStart = minutes - toWallTime(instant, timeZone).minutes;
    const start = instant - (instant % MINUTE_MS) + minutesToStart * MINUTE_MS;
    if (start >= firstStart && weekdays.includes(toWallTime(start, timeZone).weekday) && overlaps(start))
      occurrences.push({ from: start, until: start + durationMs });
  }
  return occurrences;
}

/** Whether a window is open at an instant, in ms since the epoch. */
export const isWindowOpen = (window: WindowTimes, now: number, timeZone: string): boolean =>
  findOccurrences(window, { from: now, until: now + 1 }, timeZone).length > 0;

interface SilenceState {
  mutes: readonly Mute[];
  windows: readonly MaintenanceWindow[];
  flaps: readonly AlertFlap[];
  openAlerts: readonly Alert[];
  timeZone: string;
  now: number;
}

/**
 * The reasons that suppress notifications of an alert now: its subject is muted, in maintenance or flapping, or another
 * open alert explains it.
 */
export class Silences {
  private readonly openWindows: readonly MaintenanceWindow[];
  private readonly goneMachines: ReadonlySet<string>;
  private readonly openKeys: ReadonlySet<string>;
  private readonly flapsByKey: ReadonlyMap<string, AlertFlap>;

  constructor(private readonly state: SilenceState) {
    const { windows, flaps, openAlerts, timeZone, now } = state;
    this.openWindows = windows.filter((window) => isWindowOpen(window, now, timeZone));
    const goneMachineAlerts = openAlerts.filter(({ kind }) => kind === 'machine_gone');
    this.goneMachines = new Set(goneMachineAlerts.map(({ subjectId }) => subjectId));
    this.openKeys = new Set(openAlerts.map((alert) => createSubjectKey(alert.kind, alert)));
    this.flapsByKey = new Map(flaps.map((flap) => [toAlertKey(flap), flap]));
  }

  isSilenced(alert: Alert): boolean {
    return this.isMuted(alert) || this.isInMaintenance(alert);
  }

  findFlap(alert: Alert): AlertFlap | undefined {
    return this.flapsByKey.get(toAlertKey(alert));
  }

  /** Inhibition: of several alerts with one cause, only the alert about the cause is sent. */
  isInhibited(alert: Alert): boolean {
    return (
      (alert.kind === 'target_down' && this.goneMachines.has(alert.machineId)) ||
      (alert.kind === 'errors' && this.openKeys.has(createSubjectKey('target_down', alert))) ||
      (alert.kind.startsWith('certificate_') && this.openKeys.has(createSubjectKey('dns_wrong', alert)))
    );
  }

  private isMuted({ kind, subjectType, subjectId }: Alert): boolean {
    return this.state.mutes.some(
      (mute) =>
        Date.parse(mute.until) > this.state.now &&
        (mute.kind === null || mute.kind === kind) &&
        mute.subjectType === subjectType &&
        mute.subjectId === subjectId,
    );
  }

  private isInMaintenance({ subjectType, subjectId }: Alert): boolean {
    const subjects = this.openWindows.flatMap((window) => window.subjects);
    return subjects.some(({ type, id }) => type === subjectType && id === subjectId);
  }
}

const createSubjectKey = (kind: string, { subjectType, subjectId }: Alert): string =>
  `${kind} ${subjectType} ${subjectId}`;
