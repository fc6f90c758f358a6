import { statfs } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { Database } from '../../platform/database/database';
import type { HostPort } from '../../platform/net/host-port';
import { hasPassed } from '../../platform/time/relative-time';
import { checkCertificate } from '../domains';
import { Machine } from './alert.entity';
import type { Condition } from './alert-kinds';
import type { AlertRule } from './alert-settings.entity';
import { alertMessages as messages } from './alerts.messages';
import { resolveRule } from './rules/resolve-rule';

const HEARTBEAT_INTERVAL_MS = 60_000;
const HEARTBEAT_TIMEOUT_MS = 10_000;

/**
 * Calls `HEARTBEAT_URL` at most once a minute, so that an outside service notices an installation that no longer works.
 * A failed call is repeated at the next report.
 */
export function createHeartbeat(url: string | undefined): () => Promise<void> {
  let sentAt = 0;
  return async () => {
    if (url === undefined || !hasPassed(sentAt, HEARTBEAT_INTERVAL_MS)) return;
    // The `fetch` of Node 20 may lose its abort signal. The start of the core must not wait for undici.
    const { fetch } = await import('undici');
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(HEARTBEAT_TIMEOUT_MS) });
      await response.body?.cancel();
      if (response.ok) sentAt = Date.now();
    } catch {
      // The outside service notices that the call is missing.
    }
  };
}

const CERTIFICATE_INTERVAL_MS = 10 * 60_000;
/** Interval after a failed check, until the failure is confirmed. */
const RETRY_INTERVAL_MS = 10_000;
const CONFIRMING_FAILURES = 3;
/** Hysteresis: a full disk counts as full until its free space exceeds `percent` by 2 points and `gib` by 2 %. */
const DISK_HYSTERESIS = 2;
const GIB = 1024 ** 3;

interface ReporterOptions {
  database: Database;
  machineId: string;
  /** Interval of the reports while nothing changes, ms. */
  intervalMs: number;
  dataDir: string;
  /** Names whose certificate is checked: the base domain, and a name below it for the wildcard. */
  certificateNames: readonly string[];
  tlsCheckAddress: HostPort;
  /** Called after each successful write. */
  sendHeartbeat: () => Promise<void>;
}

/** Reports to the other machines that this machine is alive, with the state of its disk and its certificate. */
export class MachineReporter {
  private conditions: Condition[] = [];
  private reportedAt = 0;
  private certificateCheckedAt = 0;
  private certificateFailureCount = 0;
  private certificateFailingSince = '';

  constructor(private readonly options: ReporterOptions) {}

  /** Stores changed conditions immediately, and unchanged conditions every `intervalMs`. */
  async report(rules: readonly AlertRule[]): Promise<void> {
    const conditions = [...(await this.checkDisk(rules)), ...(await this.checkCertificates())];
    const isChanged = JSON.stringify(conditions) !== JSON.stringify(this.conditions);
    if (!isChanged && !hasPassed(this.reportedAt, this.options.intervalMs)) return;
    const { database, machineId } = this.options;
    const row = { _id: machineId, name: hostname().slice(0, 255), seenAt: new Date().toISOString(), conditions };
    await database.concurrentWrite((manager) => manager.upsert(Machine, row, ['_id']));
    this.conditions = conditions;
    this.reportedAt = Date.now();
    await this.options.sendHeartbeat();
  }

  /** Removes the row of this machine, so that a regular stop raises no alert. */
  async deregister(): Promise<void> {
    const { database, machineId } = this.options;
    await database.concurrentWrite((manager) => manager.delete(Machine, { _id: machineId }));
  }

  private createCondition(kind: 'disk' | 'own_certificate', since: string, reason: string): Condition {
    const { machineId } = this.options;
    return { kind, subject: { type: 'machine', id: machineId, name: hostname() }, machineId, since, reason };
  }

  private async checkDisk(rules: readonly AlertRule[]): Promise<Condition[]> {
    const previousCondition = this.conditions.find(({ kind }) => kind === 'disk');
    const { percent, gib } = resolveRule(rules, 'disk').thresholds;
    const { bavail, blocks, bsize } = await statfs(this.options.dataDir);
    const freeSpace = { percent: (bavail / blocks) * 100, gib: (bavail * bsize) / GIB };
    const margin = previousCondition ? DISK_HYSTERESIS : 0;
    if (freeSpace.percent >= percent + margin && freeSpace.gib >= gib * (1 + margin / 100)) return [];
    const reason = messages.disk(Math.floor(freeSpace.percent), freeSpace.gib.toFixed(1));
    return [previousCondition ?? this.createCondition('disk', new Date().toISOString(), reason)];
  }

  private async checkCertificates(): Promise<Condition[]> {
    const previousConditions = this.conditions.filter(({ kind }) => kind === 'own_certificate');
    const isUnconfirmed = this.certificateFailureCount > 0 && this.certificateFailureCount < CONFIRMING_FAILURES;
    if (!hasPassed(this.certificateCheckedAt, isUnconfirmed ? RETRY_INTERVAL_MS : CERTIFICATE_INTERVAL_MS))
      return previousConditions;
    this.certificateCheckedAt = Date.now();
    const { certificateNames, tlsCheckAddress } = this.options;
    const failingNames: string[] = [];
    for (const name of certificateNames) {
      const { certificateState } = await checkCertificate(name, tlsCheckAddress, Number.POSITIVE_INFINITY);
      // If no server listens, the state is `none`, and there is nothing to check.
      if (certificateState === 'failed') failingNames.push(name);
    }
    if (failingNames.length === 0) {
      this.certificateFailureCount = 0;
      return [];
    }
    if (this.certificateFailureCount === 0) this.certificateFailingSince = new Date().toISOString();
    this.certificateFailureCount += 1;
    if (this.certificateFailureCount < CONFIRMING_FAILURES) return previousConditions;
    const reason = messages.ownCertificate(failingNames.join(', '));
    return [this.createCondition('own_certificate', this.certificateFailingSince, reason)];
  }
}
