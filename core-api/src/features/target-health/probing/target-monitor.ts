import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { getNextRunAt } from '../../../platform/jobs/next-run';
import { hashProbeTarget, isMachineLocal, type ProbeTarget } from '../../../platform/net/probe-target';
import { hasPassed } from '../../../platform/time/relative-time';
import type { HealthRecorder } from '../recording/health-recorder';
import type { TargetHealthService } from '../target-health.service';

/** Maximum number of concurrent checks. */
const MAX_CHECKS = 100;
/** Number of checks that are reserved for failing targets, which are slow. As many are reserved for other targets. */
const RESERVED_CHECKS = 20;
/** Time until the next check of a target whose last probe contradicted its state, if the interval is longer. */
const DOUBT_INTERVAL_MS = 10_000;
/** Maximum fraction of the interval by which a check is early or late, so that the checks are spread. */
const JITTER = 0.1;
const FLUSH_INTERVAL_MS = 1_000;
const WAIT_FOR_RUNNING_CHECKS_MS = 50;
/** The pause after a read of the list of targets is this many times as long as the read, but at most 20 s. */
const RELOAD_PAUSE_FACTOR = 9;

interface ScheduledCheck {
  target: ProbeTarget;
  /** Milliseconds since the epoch. */
  dueAt: number;
  isRunning: boolean;
  /** True if the last check ended without a result, because of an unexpected error. */
  hasFailed: boolean;
}

interface MonitorOptions {
  health: TargetHealthService;
  recorder: HealthRecorder;
  intervalMs: number;
  /** The newest revision that changed a host. */
  readHostsRevision: () => Promise<number>;
  /** Targets of all hosts with `healthCheck`, in pages. */
  listTargets: () => AsyncIterable<ProbeTarget[]>;
  /** Whether this monitor checks a target. */
  isChecked: (target: ProbeTarget) => boolean;
  /** Returns false while this machine's own network may be the cause of failed checks (`WITNESS_ADDRESSES`). */
  canReachWitness: () => Promise<boolean>;
  log: Logger;
}

/** Checks each target once per interval. If too many are due, the longest overdue target is checked first. */
export class TargetMonitor {
  private readonly checks = new Map<string, ScheduledCheck>();
  private readonly runningCounts = { failing: 0, others: 0 };
  private revision: number | undefined;
  private flushedAt = 0;
  /** Time from which the list of targets may be read again; monotonic clock, ms. */
  private reloadAt = 0;

  constructor(private readonly options: MonitorOptions) {}

  /** Starts the checks that are due, and writes results. @returns whether due checks wait for running checks */
  async checkDue(): Promise<boolean> {
    const { recorder } = this.options;
    await this.reload();
    const now = Date.now();
    // A check that is due in more than two intervals was scheduled before the clock was set back.
    const latestDueAt = now + 2 * this.options.intervalMs;
    const dueEntries: [string, ScheduledCheck][] = [];
    for (const [key, entry] of this.checks)
      if (!entry.isRunning && (entry.dueAt <= now || entry.dueAt > latestDueAt)) dueEntries.push([key, entry]);
    dueEntries.sort(([, a], [, b]) => a.dueAt - b.dueAt);
    const waitingEntries = dueEntries.filter(([key, entry]) => !this.startCheck(key, entry));
    if (hasPassed(this.flushedAt, FLUSH_INTERVAL_MS)) {
      this.flushedAt = now;
      await recorder.flush();
    }
    if (waitingEntries.length === 0) return false;
    await sleep(WAIT_FOR_RUNNING_CHECKS_MS);
    return true;
  }

  /** Checks a target without waiting for the result. @returns false at the limit of concurrent checks */
  private startCheck(key: string, entry: ScheduledCheck): boolean {
    const kind = this.options.recorder.isFailing(key) ? 'failing' : 'others';
    const { failing, others } = this.runningCounts;
    if (this.runningCounts[kind] >= MAX_CHECKS - RESERVED_CHECKS || failing + others >= MAX_CHECKS) return false;
    entry.isRunning = true;
    this.runningCounts[kind] += 1;
    void this.check(key, entry).finally(() => {
      entry.isRunning = false;
      this.runningCounts[kind] -= 1;
    });
    return true;
  }

  /** Checks a target and schedules its next check. The promise never rejects. */
  private async check(key: string, entry: ScheduledCheck): Promise<void> {
    const { health, recorder, intervalMs, canReachWitness, log } = this.options;
    try {
      const result = await health.checkOne(entry.target, { inParallel: recorder.isFailing(key) });
      const isCertain = result.state === 'up' || isMachineLocal(entry.target) || (await canReachWitness());
      // The last host of the target may have been removed during the check.
      if (this.checks.get(key) === entry) recorder.record(key, result, { isCertain });
      entry.hasFailed = false;
    } catch (error) {
      // An unhandled rejection would end the core.
      if (!entry.hasFailed) log.warn({ err: error, target: entry.target }, 'target check failed');
      entry.hasFailed = true;
    }
    const jitterFactor = 1 - JITTER + 2 * JITTER * Math.random();
    const waitMs = recorder.hasContradiction(key) ? Math.min(DOUBT_INTERVAL_MS, intervalMs) : intervalMs * jitterFactor;
    entry.dueAt = Date.now() + waitMs;
  }

  /** Applies a changed list of targets. New targets are due immediately. */
  private async reload(): Promise<void> {
    const startedAt = performance.now();
    if (startedAt < this.reloadAt) return;
    const revision = await this.options.readHostsRevision();
    if (revision === this.revision) return;
    const targets = await this.readTargets();
    for (const key of this.checks.keys()) if (!targets.has(key)) this.checks.delete(key);
    for (const [key, target] of targets)
      if (!this.checks.has(key)) this.checks.set(key, { target, dueAt: 0, isRunning: false, hasFailed: false });
    this.options.recorder.keepOnly(new Set(targets.keys()));
    this.revision = revision;
    this.reloadAt = getNextRunAt(startedAt, RELOAD_PAUSE_FACTOR);
  }

  private async readTargets(): Promise<Map<string, ProbeTarget>> {
    const { listTargets, isChecked } = this.options;
    const targets = new Map<string, ProbeTarget>();
    for await (const page of listTargets())
      for (const target of page.filter(isChecked)) targets.set(hashProbeTarget(target), target);
    return targets;
  }
}
