import { toWallTime } from '../../platform/time/local-time';
import { DAY_MS } from '../../platform/time/relative-time';
import type { BackupPlanRow, BackupRun } from './backup.entity';

type StoredBackup = Pick<BackupRun, '_id' | 'startedAt' | 'outcome' | 'verifiedAt'>;

/** A verified backup is proven. It stays proven if a later verification fails, but not if it finds damage. */
const isProven = ({ outcome, verifiedAt }: StoredBackup): boolean =>
  outcome === 'verified' || (outcome === 'failed' && verifiedAt !== null);

const MIN_VERIFIED = 2;

/** The Monday of the week that contains a day, both as `YYYY-MM-DD`. */
function startOfWeek(day: string): string {
  const date = new Date(`${day}T00:00:00.000Z`);
  return new Date(date.getTime() - ((date.getUTCDay() + 6) % 7) * DAY_MS).toISOString().slice(0, 10);
}

/**
 * Chooses the stored backups to remove. Each recent day, week and month with proven backups keeps the newest of them.
 * The two newest verified backups always stay. Nothing is removed while fewer than two backups are verified.
 */
export function chooseRemovals<Backup extends StoredBackup>(
  stored: readonly Backup[],
  plan: Pick<BackupPlanRow, 'keepDaily' | 'keepWeekly' | 'keepMonthly'>,
  timeZone: string,
): Backup[] {
  const newestFirst = [...stored].sort((a, b) => b.startedAt.localeCompare(a.startedAt));
  const verifiedBackups = newestFirst.filter(({ outcome }) => outcome === 'verified');
  if (verifiedBackups.length < MIN_VERIFIED) return [];
  const keptBackups = new Set(verifiedBackups.slice(0, MIN_VERIFIED));
  const keepNewestPer = (count: number, toPeriod: (day: string) => string) => {
    const periods = new Set<string>();
    for (const backup of newestFirst.filter(isProven)) {
      const period = toPeriod(toWallTime(Date.parse(backup.startedAt), timeZone).day);
      if (periods.has(period)) continue;
      if (periods.size === count) return;
      periods.add(period);
      keptBackups.add(backup);
    }
  };
  keepNewestPer(plan.keepDaily, (day) => day);
  keepNewestPer(plan.keepWeekly, startOfWeek);
  keepNewestPer(plan.keepMonthly, (day) => day.slice(0, 7));
  const secondNewestVerifiedStart = verifiedBackups[MIN_VERIFIED - 1]?.startedAt ?? '';
  // An unverified backup may be verified later. It stays while it is newer than the second newest verified backup.
  return newestFirst.filter(
    (backup) => !keptBackups.has(backup) && (isProven(backup) || backup.startedAt < secondNewestVerifiedStart),
  );
}
