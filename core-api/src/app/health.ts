import { TargetMonitor } from '../features/target-health/probing/target-monitor';
import { HealthRecorder } from '../features/target-health/recording/health-recorder';
import { TargetHealthService } from '../features/target-health/target-health.service';
import { watchHostChanges } from '../platform/config-revisions/config-revisions';
import { LeasedJob } from '../platform/jobs/leased-job';
import { isMachineLocal, type ProbeTarget } from '../platform/net/probe-target';
import type { TargetRules } from '../platform/net/target';
import { createWitnessCheck } from '../platform/net/witnesses';
import { HOUR_MS, MINUTE_MS } from '../platform/time/relative-time';
import type { AppContext } from './app-context';

/** The health is unknown during a gap between two checks that exceeds both ten minutes and 2.5 intervals. */
const MIN_GAP_MS = 10 * MINUTE_MS;
const GAP_INTERVALS = 2.5;
/**
 * Time between two writes of unchanged results. On PostgreSQL other machines show the stored results. On SQLite one
 * process has all results in memory, and rare writes let an idle disk sleep.
 */
const SHARED_FLUSH_MS = 15 * MINUTE_MS;
const SQLITE_FLUSH_MS = HOUR_MS;

/** Composes the health checks. Each machine checks its loopback ports and folders; one machine checks the rest. */
export function createHealth({ config, database, machineId, log }: AppContext, targetRules: TargetRules) {
  const intervalMs = config.HEALTH_INTERVAL_S * 1000;
  const createRecorder = (recordedMachineId: string) =>
    new HealthRecorder({
      database,
      machineId: recordedMachineId,
      timeZone: config.TIME_ZONE,
      flushIntervalMs: config.DATABASE_URL === undefined ? SQLITE_FLUSH_MS : SHARED_FLUSH_MS,
      maxGapMs: Math.max(MIN_GAP_MS, GAP_INTERVALS * intervalMs),
    });
  const localRecorder = createRecorder(machineId);
  const sharedRecorder = createRecorder(''); // An empty id: all machines share these targets.
  const recorders = [localRecorder, sharedRecorder];
  const health = new TargetHealthService(database, targetRules, machineId, recorders);
  const canReachWitness = createWitnessCheck(config.WITNESS_ADDRESSES);

  /** Returns the jobs that check the targets of all hosts, or none with `HEALTH_INTERVAL_S=0`. */
  function createJobs(targetSources: readonly { readProbeTargets(): AsyncIterable<ProbeTarget[]> }[]): LeasedJob[] {
    if (intervalMs === 0) return [];
    const createJob = (name: string, recorder: HealthRecorder, isChecked: (target: ProbeTarget) => boolean) => {
      const monitor = new TargetMonitor({
        health,
        recorder,
        intervalMs,
        readHostsRevision: watchHostChanges(database.read),
        async *listTargets() {
          for (const source of targetSources) yield* source.readProbeTargets();
        },
        isChecked,
        canReachWitness,
        log,
      });
      return new LeasedJob({
        database,
        log,
        name,
        withoutLease: recorder === localRecorder,
        run: () => monitor.checkDue(),
        // The stored results may come from another machine that ran the job before.
        onAcquire: () => recorder.load(),
        onStop: () => recorder.flush({ isForced: true }),
      });
    };
    return [
      createJob('local-health', localRecorder, isMachineLocal),
      createJob('health', sharedRecorder, (target) => !isMachineLocal(target)),
    ];
  }
  return { health, recorders, createJobs };
}
