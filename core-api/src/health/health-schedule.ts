import { keyOf, type ProbeTarget } from '../rules/probe-target';
import type { HealthService } from './health.service';

const MAX_CONCURRENT_PROBES = 20;
/** Of the interval, either way. */
const JITTER = 0.1;

/**
 * Checks each distinct target once per interval, `MAX_CONCURRENT_PROBES` at a time. Where that is not enough, the
 * intervals grow evenly: the longest overdue goes first.
 */
export class HealthSchedule {
  private readonly dueAt = new Map<string, number>();
  private readonly targets = new Map<string, ProbeTarget>();
  private revision: number | undefined;

  constructor(
    private readonly health: HealthService,
    private readonly intervalMs: number,
    /** The configuration's newest revision. */
    private readonly currentRevision: () => Promise<number>,
    /** Targets of all hosts with `healthCheck`. */
    private readonly listTargets: () => Promise<ProbeTarget[]>,
  ) {}

  /** Checks the targets that are due. @returns whether more are due already */
  readonly checkDue = async (): Promise<boolean> => {
    await this.reload();
    const now = Date.now();
    const due = [...this.dueAt].filter(([, at]) => at <= now).sort(([, one], [, other]) => one - other);
    const next = due.slice(0, MAX_CONCURRENT_PROBES).flatMap(([key]) => this.targets.get(key) ?? []);
    if (next.length > 0) await this.health.check(next);
    for (const target of next) {
      this.dueAt.set(keyOf(target), Date.now() + this.intervalMs * (1 - JITTER + 2 * JITTER * Math.random()));
    }
    return due.length > MAX_CONCURRENT_PROBES;
  };

  /** Takes over a changed list of targets; a new one is due at once. */
  private async reload(): Promise<void> {
    const revision = await this.currentRevision();
    if (revision === this.revision) return;
    const known = new Map((await this.listTargets()).map((target) => [keyOf(target), target]));
    for (const key of this.dueAt.keys()) if (!known.has(key)) this.dueAt.delete(key);
    this.targets.clear();
    for (const [key, target] of known) {
      this.targets.set(key, target);
      if (!this.dueAt.has(key)) this.dueAt.set(key, 0);
    }
    this.revision = revision;
  }
}
