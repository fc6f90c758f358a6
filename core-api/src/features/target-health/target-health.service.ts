import { chunks } from '../../platform/collections/chunks';
import type { Database } from '../../platform/database/database';
import { selectIn } from '../../platform/database/queries/select-in';
import { hashProbeTarget, isMachineLocal, type ProbeTarget } from '../../platform/net/probe-target';
import type { TargetRules } from '../../platform/net/target';
import { createIsDownSql, MAX_RESULT_AGE_MS } from './is-down';
import { type ProbeOptions, probe } from './probing/probe';
import type { CheckResult, HealthRecorder } from './recording/health-recorder';
import { TargetHealth } from './target-health.entity';
import { targetHealthMessages as messages } from './target-health.messages';
import type { Health } from './target-health.schema';

/** Fields of a host that determine its health. */
export interface CheckedSite {
  healthCheck: boolean;
  /** Undefined for a site that serves versions and has no version yet. */
  target: ProbeTarget | undefined;
}

const createUnknownHealth = (reason: string): Health => ({
  state: 'unknown',
  status: null,
  ms: null,
  checkedAt: null,
  reason,
});

/** The key of a host's results; undefined if the host is not checked. */
const toCheckedKey = ({ healthCheck, target }: CheckedSite) =>
  healthCheck && target ? hashProbeTarget(target) : undefined;

type FindResult = (key: string) => CheckResult | undefined;

function toHealth({ healthCheck }: CheckedSite, key: string | undefined, findResult: FindResult): Health {
  if (key === undefined) return createUnknownHealth(healthCheck ? messages.noVersion : messages.off);
  const result = findResult(key);
  if (!result) return createUnknownHealth(messages.notYet);
  const { state, status, ms, checkedAt, reason } = result;
  return { state, status, ms, checkedAt, reason };
}

const PAGE_TARGETS = 1_000;
/** Selects all results of the next targets with a confirmed outage, after the target $1. */
const DOWN_PAGE_SQL = `SELECT target, "machineId", state, "checkedAt", reason, confirmed, "confirmedSince"
  FROM target_health WHERE target IN (
    SELECT DISTINCT target FROM target_health WHERE target > $1 AND confirmed = 'down' ORDER BY target LIMIT ${PAGE_TARGETS}
  ) ORDER BY target`;

/** The columns of a stored result that determine which result is shown. */
type ShownResult = Pick<TargetHealth, 'target' | 'machineId' | 'state' | 'checkedAt'>;

/** Leaves out the results of removed machines from the results of one target. */
function withoutRemovedMachines<Row extends ShownResult>(results: readonly Row[]): readonly Row[] {
  const newestMs = Math.max(...results.map(({ checkedAt }) => Date.parse(checkedAt)));
  return results.filter(({ checkedAt }) => newestMs - Date.parse(checkedAt) < MAX_RESULT_AGE_MS);
}

/** Chooses the result to show if several machines check a target: the newest failure, else the newest result. */
const chooseWorstResult = (results: readonly CheckResult[]): CheckResult | undefined =>
  results.length < 2
    ? results[0]
    : results.toSorted(
        (a, b) => Number(b.state === 'down') - Number(a.state === 'down') || (a.checkedAt < b.checkedAt ? 1 : -1),
      )[0];

export class TargetHealthService {
  constructor(
    private readonly database: Database,
    private readonly rules: TargetRules,
    private readonly machineId: string,
    /** Recorders of this process. The database may lack their newest results. */
    private readonly recorders: readonly HealthRecorder[] = [],
  ) {}

  /** Adds the last result of a check to each row. */
  async addHealth<Row>(rows: readonly Row[], toHost: (row: Row) => CheckedSite): Promise<(Row & { health: Health })[]> {
    const keyedRows = rows.map((row) => {
      const host = toHost(row);
      return { row, host, key: toCheckedKey(host) };
    });
    const findResult = await this.createResultLookup([...new Set(keyedRows.flatMap(({ key }) => key ?? []))]);
    return keyedRows.map(({ row, host, key }) => ({ ...row, health: toHealth(host, key, findResult) }));
  }

  async findHealth(host: CheckedSite): Promise<Health> {
    const key = toCheckedKey(host);
    return toHealth(host, key, await this.createResultLookup(key === undefined ? [] : [key]));
  }

  /** Returns a function that finds the result to show for one of these keys. */
  private async createResultLookup(keys: readonly string[]) {
    const columns = 'target, "machineId", state, status, ms, "checkedAt", reason';
    const query = { table: 'target_health', columns, column: 'target', values: keys };
    const resultsByTarget = this.groupByTarget(await selectIn<CheckResult & ShownResult>(this.database.read, query));
    const findUnwritten = (key: string) => this.recorders.flatMap((recorder) => recorder.findResult(key) ?? []);
    return (key: string) => chooseWorstResult(resultsByTarget.get(key) ?? findUnwritten(key));
  }

  /** Returns the keys whose target was down at the last check. */
  async filterDown(keys: readonly string[]): Promise<Set<string>> {
    const { report } = this.database;
    const downKeys = new Set<string>();
    for (const chunk of chunks(keys)) {
      const rows = await selectIn<Pick<TargetHealth, 'target'>>(report, {
        table: 'target_health',
        columns: 'target',
        column: 'target',
        values: chunk,
        where: createIsDownSql(report, 'target_health.target'),
      });
      for (const { target } of rows) downKeys.add(target);
    }
    return downKeys;
  }

  /**
   * Lists confirmed outages, each with its target, beginning and reason. The targets are read in pages, so that other
   * calls need not wait for all targets.
   */
  async listConfirmedDown() {
    type Row = ShownResult & Pick<TargetHealth, 'reason' | 'confirmed' | 'confirmedSince'>;
    const downResults: Row[] = [];
    for (let after = ''; ; ) {
      // A page has all results of its targets, so `groupByTarget` can leave out removed machines.
      const page = await this.database.read.query<Row[]>(DOWN_PAGE_SQL, [after]);
      const lastRow = page.at(-1);
      if (!lastRow) return downResults;
      for (const results of this.groupByTarget(page).values())
        for (const result of results) if (result.confirmed === 'down') downResults.push(result);
      after = lastRow.target;
    }
  }

  /** Groups the newest results by target, without removed machines. Every response about health uses these results. */
  private groupByTarget<Row extends ShownResult>(stored: readonly Row[]): Map<string, readonly Row[]> {
    const resultsByTarget = new Map<string, readonly Row[]>();
    for (const row of stored) {
      const newer = this.findNewerResult(row);
      const result = newer ? { ...row, ...newer } : row;
      const results = resultsByTarget.get(row.target);
      resultsByTarget.set(row.target, results ? withoutRemovedMachines([...results, result]) : [result]);
    }
    return resultsByTarget;
  }

  /** The result of this process for the same target, if it is newer than the row. */
  private findNewerResult({ target, machineId, checkedAt }: ShownResult): CheckResult | undefined {
    const result = this.recorders.find((recorder) => recorder.machineId === machineId)?.findResult(target);
    return result && result.checkedAt > checkedAt ? result : undefined;
  }

  /** Checks one target without storing the result. */
  probe(target: ProbeTarget, options?: ProbeOptions) {
    return probe(target, this.rules, options);
  }

  /** Checks targets now and stores the results. A check on request does not confirm an outage. */
  async check(targets: readonly ProbeTarget[]): Promise<void> {
    const rows = await Promise.all(
      targets.map(async (target) => ({
        target: hashProbeTarget(target),
        machineId: isMachineLocal(target) ? this.machineId : '',
        ...(await this.checkOne(target)),
      })),
    );
    await this.database.concurrentWrite((manager) => manager.upsert(TargetHealth, rows, ['target', 'machineId']));
  }

  async checkOne(target: ProbeTarget, options?: ProbeOptions): Promise<CheckResult> {
    const startedAt = performance.now();
    const { steps, status } = await this.probe(target, options);
    const failedStep = steps.find(({ ok }) => !ok);
    return {
      // A site is up when its folder can be read, even without `index.html` (contract §7).
      state: failedStep && failedStep.step !== 'index' ? 'down' : 'up',
      status,
      ms: Math.round(performance.now() - startedAt),
      checkedAt: new Date().toISOString(),
      reason: failedStep?.detail ?? null,
    };
  }
}
