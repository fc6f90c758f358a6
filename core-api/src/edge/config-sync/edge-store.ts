import { constants, existsSync } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { QueryFailedError } from 'typeorm';
import { readChangesSince, readConfigPosition, readConfigRows } from '../../app/config-loader';
import { EDGE_REPORTS_PATH, type EdgeReport } from '../../app/edge-report.schema';
import { getEdgeTokenPath } from '../../app/edge-token';
import { entities as tables } from '../../app/entities';
import { storeEdgeReport } from '../../app/store-edge-report';
import { wasDomainRecentlyOk } from '../../features/domains/checks/recent-domain-status';
import { type GrantRequest, type RateGrants, takeRateGrants } from '../../features/gateway/keys/take-rate-grants';
import type { RequestEntry } from '../../features/gateway/requests/request-log.service';
import type { Edge } from '../../features/rollout/edge.entity';
import { countLiveEdges, getReportIntervals } from '../../features/rollout/live-edges';
import type { Config } from '../../platform/config/config';
import { withTimeBudget } from '../../platform/database/connection/deadline';
import { SQLITE_FILE } from '../../platform/database/connection/sqlite';
import { createDatabase, type Database } from '../../platform/database/database';
import { Installation } from '../../platform/installation/installation.entity';
import type { CountedSubject } from '../../platform/usage/counted-subject';
import type { ConfigChanges, ConfigPosition, RowChange } from '../../routing/config-snapshot';
import type { ChangeSignal } from './change-signal';
import { PostgresNotifications } from './postgres-notifications';
import { SqliteChangeSignal } from './sqlite-change-signal';

/**
 * Returns the message for the log if a query failed or the database belongs to another installation; undefined for
 * other errors. Queries also fail while the core has not migrated the schema to this build.
 */
export const findDatabaseErrorMessage = (error: unknown): string | undefined =>
  error instanceof QueryFailedError || error instanceof OtherInstallationError ? error.message : undefined;

/** Time limit of one operation, including the opening of the database. */
const TIMEOUT_MS = 6_000;

/** The database belongs to another installation than the edge's snapshot. */
class OtherInstallationError extends Error {}

/** Access of the primary to the database. The features define the queries, and this class limits their time. */
export class EdgeStore {
  private database: Database;
  /** True if the user of this process may only read the SQLite file, because the core runs as another user. */
  private isReadOnly = false;
  private opening: Promise<void> | undefined;
  /** Id of the database's installation. It is set after the comparison with `expectedInstallationId`. */
  installationId: string | undefined;
  /** Id of the snapshot's installation, if there is a snapshot. */
  expectedInstallationId: string | undefined;
  readonly changes: ChangeSignal;

  constructor(private readonly config: Config) {
    this.database = createDatabase(config, tables);
    this.changes =
      config.DATABASE_URL === undefined
        ? new SqliteChangeSignal(join(config.DATA_DIR, SQLITE_FILE))
        : new PostgresNotifications(config.DATABASE_URL);
  }

  private run<Value>(operation: (database: Database) => Promise<Value>): Promise<Value> {
    return withTimeBudget(TIMEOUT_MS, async () => {
      this.opening ??= this.open();
      const { opening } = this;
      await opening.catch((error: unknown) => {
        if (this.opening === opening) this.opening = undefined;
        throw error;
      });
      this.installationId ??= await this.readInstallationId();
      return operation(this.database);
    });
  }

  private async open(): Promise<void> {
    const { DATABASE_URL, DATA_DIR } = this.config;
    this.isReadOnly = DATABASE_URL === undefined && (await isReadOnlyFile(join(DATA_DIR, SQLITE_FILE)));
    if (this.isReadOnly) this.database = createDatabase(this.config, tables, { readOnly: true });
    await this.database.open();
  }

  /**
   * Returns undefined until the core has migrated the schema.
   * @throws OtherInstallationError for another installation, which must neither replace the snapshot nor get the counts
   */
  private async readInstallationId(): Promise<string | undefined> {
    if (!(await this.database.isReady())) return undefined;
    const { installationId } = await this.database.read.findOneByOrFail(Installation, { id: 1 });
    if (this.expectedInstallationId !== undefined && this.expectedInstallationId !== installationId)
      throw new OtherInstallationError('the database belongs to another installation than DATA_DIR/edge/snapshot.json');
    return installationId;
  }

  /** Returns false until the core has created the database and migrated its schema. */
  async isReady(): Promise<boolean> {
    const { DATABASE_URL, DATA_DIR } = this.config;
    if (DATABASE_URL === undefined && !existsSync(join(DATA_DIR, SQLITE_FILE))) return false;
    return this.run((database) => database.isReady());
  }

  async close(): Promise<void> {
    this.changes.close();
    if (this.opening) await this.database.close();
  }

  /** Returns the changes since a position, 'unknown' if the database lacks it, or undefined if there are none. */
  readChangesSince(position: ConfigPosition): Promise<ConfigChanges | 'unknown' | undefined> {
    return this.run(({ read }) => readChangesSince(read, position));
  }

  readConfigPosition(): Promise<ConfigPosition> {
    return this.run(({ read }) => readConfigPosition(read));
  }

  /** Yields all rows of the configuration in pages. The time limit applies to each query. */
  readConfigRows(): AsyncGenerator<RowChange[]> {
    return readConfigRows((work) => this.run(({ read }) => work(read)));
  }

  /** Adds a batch of counts. A batch is identified by its edge and `sequence`, so a repeated batch is ignored. */
  addUsage(edgeId: string, sequence: number, usage: CountedSubject[]): Promise<void> {
    return this.report({ type: 'usage', edgeId, sequence, usage });
  }

  /** Returns whether the DNS of a custom domain was correct within the last 30 days. */
  isDomainOk(host: string): Promise<boolean> {
    return this.run(({ read }) => wasDomainRecentlyOk(read, host));
  }

  addRequests(entries: readonly RequestEntry[]): Promise<void> {
    return this.report({ type: 'requests', entries: [...entries] });
  }

  /** Takes grants from the rate windows that all machines share, and counts the machines with a live edge. */
  takeRateGrants(requests: readonly GrantRequest[]): Promise<RateGrants & { machines: number }> {
    return this.run((database) =>
      database.concurrentWrite(async (manager) => {
        const rateGrants = await takeRateGrants(manager, requests);
        return { ...rateGrants, machines: await countLiveEdges(manager) };
      }),
    );
  }

  /** Interval of reports without a change, ms. */
  get heartbeatMs(): number {
    return getReportIntervals(this.config.DATABASE_URL !== undefined).heartbeatMs;
  }

  /** Stores the revision that an edge serves, for which `RolloutService` waits. */
  reportServed(edgeId: string, state: Pick<Edge, 'revision' | 'refused'>): Promise<void> {
    return this.report({ type: 'served', edgeId, ...state });
  }

  removeEdge(edgeId: string): Promise<void> {
    return this.report({ type: 'left', edgeId });
  }

  /** Writes to the database, or reports to the core if this process may only read the database. */
  private report(report: EdgeReport): Promise<void> {
    return this.run(async (database) => {
      if (this.isReadOnly) await sendReport(this.config, report);
      else await database.concurrentWrite((manager) => storeEdgeReport(manager, report));
    });
  }
}

/** Sends a report to the core. @throws Error if the core refuses it */
async function sendReport(config: Config, report: EdgeReport): Promise<void> {
  const token = (await readFile(getEdgeTokenPath(config), 'utf8')).trim();
  const { status } = await fetch(`${config.CORE_URL}${EDGE_REPORTS_PATH}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(report),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (status !== 204) throw new Error(`the core responded with ${status} to a report`);
}

/** Returns whether this process may only read the SQLite file. @throws Error for a missing or unreadable file */
async function isReadOnlyFile(file: string): Promise<boolean> {
  await access(file, constants.R_OK);
  return access(file, constants.W_OK).then(
    () => false,
    () => true,
  );
}
