import { type Alert, type AlertFlap, toAlertKey } from '../alert.entity';
import type { MaintenanceWindow, Mute } from '../alert-settings.entity';
import { isWindowOpen } from '../silences/window-occurrences';

interface SuppressionState {
  mutes: readonly Mute[];
  windows: readonly MaintenanceWindow[];
  flaps: readonly AlertFlap[];
  openAlerts: readonly Alert[];
  timeZone: string;
  now: number;
}

/**
 * The reasons that suppress notifications of an alert now: its subject is silenced or flapping, or another open alert
 * explains it.
 */
export class Suppressions {
  private readonly openWindows: readonly MaintenanceWindow[];
  private readonly openKeys: ReadonlySet<string>;
  private readonly flapsByKey: ReadonlyMap<string, AlertFlap>;

  constructor(private readonly state: SuppressionState) {
    const { windows, flaps, openAlerts, timeZone, now } = state;
    this.openWindows = windows.filter((window) => isWindowOpen(window, now, timeZone));
    this.openKeys = new Set(openAlerts.map((alert) => createSubjectKey(alert.kind, alert)));
    this.flapsByKey = new Map(flaps.map((flap) => [toAlertKey(flap), flap]));
  }

  /** Whether the alert is muted, or a maintenance window of its subject is open. */
  isSilenced(alert: Alert): boolean {
    return this.isMuted(alert) || this.isInMaintenance(alert);
  }

  findFlap(alert: Alert): AlertFlap | undefined {
    return this.flapsByKey.get(toAlertKey(alert));
  }

  /** Inhibition: of several alerts with one cause, only the alert about the cause is sent. */
  isInhibited(alert: Alert): boolean {
    const machine = { subjectType: 'machine', subjectId: alert.machineId } as const;
    return (
      (alert.kind === 'target_down' && this.openKeys.has(createSubjectKey('machine_gone', machine))) ||
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

type AlertSubject = Pick<Alert, 'subjectType' | 'subjectId'>;
const createSubjectKey = (kind: string, { subjectType, subjectId }: AlertSubject): string =>
  `${kind} ${subjectType} ${subjectId}`;
