import { In } from 'typeorm';
import type { Database } from '../../platform/database/database';
import { isMachineLocal, type ProbeTarget, probeTargetKey } from '../../platform/net/probe-target';
import type { TargetRules } from '../../platform/net/target';
import type { CheckResult, HealthRecorder } from './health-recorder';
import { type ProbeOptions, probe } from './probe';
import { TargetHealth } from './target-health.entity';
import { targetHealthMessages as messages } from './target-health.messages';
import type { Health } from './target-health.schema';

/** Fields of a host that determine its health. */
export interface CheckedHost {
  healthCheck: boolean;
  target: ProbeTarget | undefined;
}

const unknown = (reason: string): Health => ({ state: 'unknown', status: null, ms: null, checkedAt: null, reason });

/** The key of a host's results; undefined if it is not checked. */
const checkedKey = ({ healthCheck, target }: CheckedHost) =>
  healthCheck && target ? probeTargetKey(target) : undefined;

const shownHealth = (key: string | undefined, byKey: ReadonlyMap<string, Health>) =>
  key === undefined ? unknown(messages.off) : (byKey.get(key) ?? unknown(messages.notYet));

/** Machines write their rows at least this often. An older row belongs to a removed machine. */
const MAX_AGE_MS = 40 * 60_000;

/** The result to show for a target that several machines check: a failure first, then the newest. */
function worst(results: readonly CheckResult[]): CheckResult | undefined {
  const newest = Math.max(...results.map(({ checkedAt }) => Date.parse(checkedAt)));
  return results
    .filter(({ checkedAt }) => newest - Date.parse(checkedAt) < MAX_AGE_MS)
    .sort(
      (one, other) =>
        Number(other.state === 'down') - Number(one.state === 'down') || (one.checkedAt < other.checkedAt ? 1 : -1),
    )[0];
}

export class TargetHealthService {
  constructor(
    private readonly database: Database,
    private readonly rules: TargetRules,
    private readonly machineId: string,
    /** Results of this process that may not be written yet. */
    private readonly recorders: readonly HealthRecorder[] = [],
  ) {}

  /** Adds the last result of a check to each row. */
  async withHealth<Row>(
    rows: readonly Row[],
    hostOf: (row: Row) => CheckedHost,
  ): Promise<(Row & { health: Health })[]> {
    const keys = rows.map((row) => checkedKey(hostOf(row)));
    const byKey = await this.healthByKey([...new Set(keys)].filter((key) => key !== undefined));
    return rows.map((row, index) => ({ ...row, health: shownHealth(keys[index], byKey) }));
  }

  async healthOf(host: CheckedHost): Promise<Health> {
    const key = checkedKey(host);
    return shownHealth(key, await this.healthByKey(key === undefined ? [] : [key]));
  }

  private async healthByKey(keys: readonly string[]): Promise<Map<string, Health>> {
    const found = keys.length > 0 ? await this.database.read.findBy(TargetHealth, { target: In([...keys]) }) : [];
    const resultsByKey = new Map<string, CheckResult[]>();
    for (const row of found) resultsByKey.set(row.target, [...(resultsByKey.get(row.target) ?? []), this.newer(row)]);
    const byKey = new Map<string, Health>();
    for (const key of keys) {
      const shown = worst(resultsByKey.get(key) ?? this.recorders.flatMap((recorder) => recorder.resultOf(key) ?? []));
      if (shown) byKey.set(key, shown);
    }
    return byKey;
  }

  /** The stored result, or what this process has found since. */
  private newer({ target, machineId, state, status, ms, checkedAt, reason }: TargetHealth): CheckResult {
    const stored = { state, status, ms, checkedAt, reason };
    const own = this.recorders.find((recorder) => recorder.machineId === machineId)?.resultOf(target);
    return own && own.checkedAt > checkedAt ? own : stored;
  }

  /** Returns a predicate: whether a target was down at the last check; undefined if none was. */
  async downTargets(): Promise<((target: ProbeTarget | undefined) => boolean) | undefined> {
    const found = await this.database.read.query<{ target: string }[]>(
      `SELECT DISTINCT target FROM target_health WHERE state = 'down'`,
    );
    const keys = new Set(found.map(({ target }) => target));
    return keys.size > 0 ? (target) => target !== undefined && keys.has(probeTargetKey(target)) : undefined;
  }

  /** Returns a function with the state of a host's target at the last check. */
  async stateByHost(): Promise<(host: CheckedHost) => Health['state']> {
    const found = await this.database.read.find(TargetHealth, { select: { target: true, state: true } });
    const states = new Map<string, 'up' | 'down'>();
    for (const { target, state } of found) if (states.get(target) !== 'down') states.set(target, state);
    return ({ healthCheck, target }) =>
      healthCheck && target ? (states.get(probeTargetKey(target)) ?? 'unknown') : 'unknown';
  }

  /** Targets whose outage is confirmed, with its beginning and the reason. */
  confirmedDown(): Promise<TargetHealth[]> {
    return this.database.read.findBy(TargetHealth, { confirmed: 'down' });
  }

  /** Checks one target without storing the result. */
  probe(target: ProbeTarget, options?: ProbeOptions) {
    return probe(target, this.rules, options);
  }

  /** Checks targets now and stores the results. A check on request does not confirm an outage. */
  async check(targets: readonly ProbeTarget[]): Promise<void> {
    const rows = await Promise.all(
      targets.map(async (target) => ({
        target: probeTargetKey(target),
        machineId: isMachineLocal(target) ? this.machineId : '',
        ...(await this.checkOne(target)),
      })),
    );
    await this.database.concurrentWrite((manager) => manager.upsert(TargetHealth, rows, ['target', 'machineId']));
  }

  /** Checks one target now. */
  async checkOne(target: ProbeTarget, options?: ProbeOptions): Promise<CheckResult> {
    const startedAt = performance.now();
    const { steps, status } = await this.probe(target, options);
    const fault = steps.find(({ ok }) => !ok);
    return {
      state: fault ? 'down' : 'up',
      status,
      ms: Math.round(performance.now() - startedAt),
      checkedAt: new Date().toISOString(),
      reason: fault?.detail ?? null,
    };
  }
}
