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
 * Returns lookups of the reasons that suppress notifications of an alert now: its subject is muted, in maintenance or
 * flapping, or another open alert explains it.
 */
export function createSilences({ mutes, windows, flaps, openAlerts, timeZone, now }: SilenceState) {
  const isMuted = ({ kind, subjectType, subjectId }: Alert) =>
    mutes.some(
      (mute) =>
        Date.parse(mute.until) > now &&
        (mute.kind === null || mute.kind === kind) &&
        mute.subjectType === subjectType &&
        mute.subjectId === subjectId,
    );
  const openWindows = windows.filter((window) => isWindowOpen(window, now, timeZone));
  const isInMaintenance = ({ subjectType, subjectId }: Alert) =>
    openWindows.some(({ subjects }) => subjects.some(({ type, id }) => type === subjectType && id === subjectId));
  const goneMachines = new Set(
    openAlerts.filter(({ kind }) => kind === 'machine_gone').map(({ subjectId }) => subjectId),
  );
  const createSubjectKey = (kind: string, { subjectType, subjectId }: Alert) => `${kind} ${subjectType} ${subjectId}`;
  const openKeys = new Set(openAlerts.map((alert) => createSubjectKey(alert.kind, alert)));
  const hasOpenAlert = (kind: string, alert: Alert) => openKeys.has(createSubjectKey(kind, alert));
  /** Inhibition: of several alerts with one cause, only the alert about the cause is sent. */
  const isInhibited = (alert: Alert) =>
    (alert.kind === 'target_down' && goneMachines.has(alert.machineId)) ||
    (alert.kind === 'errors' && hasOpenAlert('target_down', alert)) ||
    (alert.kind.startsWith('certificate_') && hasOpenAlert('dns_wrong', alert));
  const flapsByKey = new Map(flaps.map((flap) => [toAlertKey(flap), flap]));
  return {
    isSilenced: (alert: Alert) => isMuted(alert) || isInMaintenance(alert),
    findFlap: (alert: Alert) => flapsByKey.get(toAlertKey(alert)),
    isInhibited,
  };
}
