import type { Logger } from 'pino';
import { In, LessThan, Not } from 'typeorm';
import type { Database } from '../../../platform/database/database';
import { getNextRunAt } from '../../../platform/jobs/next-run';
import { hasPassed } from '../../../platform/time/relative-time';
import { Machine } from '../alert.entity';
import { type AlertKind, alertKinds, type Condition, kindDefaults, type Subject } from '../alert-kinds';
import { AlertChannel, AlertRule } from '../alert-settings.entity';
import { alertMessages as messages } from '../alerts.messages';
import type { NotificationPlanner } from '../delivery/notification-planner';
import { resolveRule } from '../rules/resolve-rule';
import type { AlertEngine, OpenAlert } from './alert-engine';
import { type AlertSources, type DetectorContext, detectors } from './detectors';

/** Minimum interval of ticks. Each tick queries the database several times, even in an idle installation. */
const TICK_MS = 2_000;
/** Pause after a tick, as a multiple of the tick's duration. A tick takes long with thousands of alerts. */
const TICK_PAUSE_FACTOR = 9;

const installation: Subject = { type: 'installation', id: 'installation', name: messages.installation };

interface AlertJobOptions {
  database: Database;
  /** The machine of this job, which is never reported as gone. */
  machineId: string;
  engine: AlertEngine;
  planner: Pick<NotificationPlanner, 'plan'>;
  sources: AlertSources;
  log: Logger;
  /** Called when a message waits for delivery. */
  onMessage: () => void;
}

/**
 * An outage of the database that ended longer ago than this is not reported. A lease expires sooner, so another core
 * has taken the lease and reported the outage.
 */
const OUTAGE_REPORT_MS = 90_000;

/** Checks for alert conditions and sends alerts. It runs in the one core that holds its lease. */
export class AlertJob {
  private readonly checkedAt = new Map<AlertKind, number>();
  /** Steps that failed at their last run. */
  private readonly failingSteps = new Set<AlertKind | 'flapping'>();
  /** Time since which the database has had no outage, ms since the epoch. */
  private databaseUpSince = Date.now();
  private lastDatabaseAnswerAt = Date.now();
  /** End of the pause after the last tick, ms of the monotonic clock. */
  private pauseEndsAt = 0;
  private lastTickAt = 0;
  /** The last outage, until it is reported. */
  private outage: { since: number; until: number } | undefined;

  constructor(private readonly options: AlertJobOptions) {}

  /** Checks the kinds of alerts that are due, at most once per `TICK_MS`. */
  async tick(): Promise<void> {
    const { database, engine, planner, onMessage } = this.options;
    const startedAt = performance.now();
    // An outage is reported even during the pause, because the outage is dropped after `OUTAGE_REPORT_MS`.
    const isPausing = startedAt < this.pauseEndsAt && !this.outage;
    if (!hasPassed(this.lastTickAt, TICK_MS) || isPausing) return;
    this.lastTickAt = Date.now();
    const rules = await database.read.find(AlertRule);
    await this.runStep('database', () => this.reportOutage(rules));
    const dueKinds = alertKinds.filter((kind) => {
      const { intervalMs = Number.POSITIVE_INFINITY } = kindDefaults[kind];
      return hasPassed(this.checkedAt.get(kind) ?? 0, intervalMs);
    });
    for (const kind of dueKinds) {
      await this.runStep(kind, async () => {
        const openAlerts = await engine.listOpenAlerts(kind);
        await engine.reconcile(kind, openAlerts, await this.findConditions(kind, rules, openAlerts), rules);
      });
      this.checkedAt.set(kind, Date.now());
    }
    await this.runStep('flapping', () => engine.endFlaps());
    if (await planner.plan()) onMessage();
    this.pauseEndsAt = getNextRunAt(startedAt, TICK_PAUSE_FACTOR);
  }

  /** Runs a step. A failed step does not prevent later steps, and is logged once until it succeeds. */
  private async runStep(name: AlertKind | 'flapping', step: () => Promise<void>): Promise<void> {
    try {
      await step();
      this.failingSteps.delete(name);
    } catch (error) {
      if (!this.failingSteps.has(name)) this.options.log.warn({ err: error, check: name }, 'alert check failed');
      this.failingSteps.add(name);
    }
  }

  /**
   * Records that the database answers, and notices an outage that is over. Every core calls this method continuously,
   * because any core may hold the lease after an outage.
   */
  recordDatabaseAnswer(rules: readonly AlertRule[]): void {
    const { seconds } = resolveRule(rules, 'database').thresholds;
    const now = Date.now();
    if (now - this.lastDatabaseAnswerAt >= seconds * 1000) {
      this.outage = { since: this.lastDatabaseAnswerAt, until: now };
      this.databaseUpSince = now;
    }
    this.lastDatabaseAnswerAt = now;
  }

  /** Stores the last outage of the database as an alert that is already resolved. */
  private async reportOutage(rules: readonly AlertRule[]): Promise<void> {
    const { outage } = this;
    if (!outage) return;
    this.outage = undefined;
    if (Date.now() - outage.until > OUTAGE_REPORT_MS) return;
    const since = new Date(outage.since).toISOString();
    const reason = messages.database(Math.round((outage.until - outage.since) / 1000));
    const condition = { kind: 'database' as const, subject: installation, machineId: '', since, reason };
    const { engine } = this.options;
    await engine.reconcile('database', await engine.listOpenAlerts('database'), [condition], rules);
    await engine.reconcile('database', await engine.listOpenAlerts('database'), [], rules);
  }

  private async findConditions(
    kind: AlertKind,
    rules: readonly AlertRule[],
    openAlerts: readonly OpenAlert[],
  ): Promise<Condition[]> {
    if (kind === 'own_certificate' || kind === 'disk') {
      const machines = await this.options.database.read.find(Machine);
      return machines.flatMap(({ conditions }) => conditions.filter((condition) => condition.kind === kind));
    }
    if (kind === 'machine_gone') return this.findGoneMachines(rules, openAlerts);
    if (kind === 'channel_failing') return this.findFailingChannels(rules);
    return (await detectors[kind]?.(this.options.sources, createDetectorContext(rules, openAlerts))) ?? [];
  }

  private async findGoneMachines(rules: readonly AlertRule[], openAlerts: readonly OpenAlert[]): Promise<Condition[]> {
    const { database, machineId: ownId } = this.options;
    const { seconds } = resolveRule(rules, 'machine_gone').thresholds;
    const now = Date.now();
    // No machine could report while the database was away, so for a while only the open alerts continue.
    const isCertain = hasPassed(this.databaseUpSince, seconds * 1000);
    const _id = isCertain ? Not(ownId) : In(openAlerts.map(({ subjectId }) => subjectId).filter((id) => id !== ownId));
    // An earlier release accepted thresholds that reach back beyond the range of dates.
    const goneBefore = new Date(Math.max(now - seconds * 1000, 0)).toISOString();
    const machines = await database.read.findBy(Machine, { _id, seenAt: LessThan(goneBefore) });
    return machines.map(({ _id, name, seenAt }) => ({
      kind: 'machine_gone',
      subject: { type: 'machine', id: _id, name },
      machineId: '',
      since: seenAt,
      reason: messages.machineGone(seconds),
    }));
  }

  private async findFailingChannels(rules: readonly AlertRule[]): Promise<Condition[]> {
    const { minutes } = resolveRule(rules, 'channel_failing').thresholds;
    const failingBefore = new Date(Math.max(Date.now() - minutes * 60_000, 0)).toISOString();
    const channels = await this.options.database.read.findBy(AlertChannel, {
      enabled: true,
      failingSince: LessThan(failingBefore),
    });
    return channels.map(({ _id, name, failingSince }) => ({
      kind: 'channel_failing',
      subject: { type: 'installation', id: _id, name },
      machineId: '',
      since: failingSince ?? failingBefore,
      reason: messages.channelFailing(minutes),
    }));
  }
}

function createDetectorContext(rules: readonly AlertRule[], openAlerts: readonly OpenAlert[]): DetectorContext {
  let openSubjects: Set<string> | undefined;
  return {
    now: Date.now(),
    resolveThresholds: (kind, subject) => resolveRule(rules, kind, subject).thresholds,
    // The set is built on demand, because few kinds need it and a kind may have tens of thousands of open alerts.
    isOpen: ({ type, id }) => {
      openSubjects ??= new Set(openAlerts.map(({ subjectType, subjectId }) => `${subjectType} ${subjectId}`));
      return openSubjects.has(`${type} ${id}`);
    },
  };
}
