import { hostname } from 'node:os';
import { join } from 'node:path';
import { type FindOptionsWhere, IsNull, LessThan, Not } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { type ChangeContext, createCommandContext, type Database } from '../../platform/database/database';
import { requireRow } from '../../platform/database/queries/require-row';
import { RuleError } from '../../platform/errors/rule-error';
import { type Paging, toSkipAndTake } from '../../platform/http/lists/paging';
import { HOUR_MS, hasPassed, toIsoFromNow } from '../../platform/time/relative-time';
import type { Condition } from '../alerts';
import { BackupRun, type BackupTrigger } from './backup.entity';
import type { BackupPlanService } from './backup-plan.service';
import type { BackupAccess } from './backup-process';
import type { BackupRunner } from './backup-runner';
import { findNextRun, findOverdueAt } from './backup-schedule';
import { backupPlanMessages as messages } from './backups.messages';
import type { BackupResponse } from './backups.schema';

/** A run without a heartbeat for this long is lost, because its core has ended. */
const HEARTBEAT_TIMEOUT_MS = 60_000;
const CHECK_INTERVAL_MS = 5_000;

interface BackupsOptions {
  database: Database;
  plan: BackupPlanService;
  runner: BackupRunner;
  machineId: string;
  timeZone: string;
}

/** Makes and verifies backups, by hand and by schedule, one at a time in the installation. */
export class BackupsService {
  private checkedAt = 0;

  constructor(private readonly options: BackupsOptions) {}

  async list(query: Paging): Promise<{ backups: BackupResponse[]; total: number }> {
    const [rows, total] = await this.options.database.read.findAndCount(BackupRun, {
      order: { startedAt: 'DESC', _id: 'DESC' },
      ...toSkipAndTake(query),
    });
    return { backups: rows.map(toResponse), total };
  }

  /** Starts a backup. @throws RuleError conflict while another backup runs */
  async start(context: ChangeContext, trigger: BackupTrigger): Promise<{ _id: string }> {
    const { database, plan, runner, machineId } = this.options;
    const access = await plan.createAccess();
    const now = new Date().toISOString();
    const _id = uuid();
    // For example: studio-20260115T123000Z-c3d4e5f6.backup.age
    const name = `studio-${now.replace(/[-:]/g, '').replace(/\..*/, 'Z')}-${_id.slice(-8)}.backup${access.passphrase ? '.age' : ''}`;
    const run: BackupRun = {
      _id,
      running: true,
      machineId,
      heartbeatAt: now,
      trigger,
      outcome: null,
      reason: null,
      startedAt: now,
      endedAt: null,
      verifiedAt: null,
      objectName: name,
      location: formatLocation(access, name),
      bytes: 0,
      sha256: null,
      tables: {},
      access: runner.encryptAccess(access),
      removedAt: null,
    };
    await database.serializedWrite(context, async (manager) => {
      if (await manager.existsBy(BackupRun, { running: true })) throw new RuleError('conflict', messages.running);
      await manager.insert(BackupRun, run);
    });
    runner.start(_id, { type: 'make', access, name });
    return { _id };
  }

  /** Starts a verification of a stored object. @throws RuleError notFound, conflict */
  async verify(context: ChangeContext, id: string): Promise<{ _id: string }> {
    const { database, runner, machineId } = this.options;
    const run = await database.read.findOneBy(BackupRun, { _id: id });
    const access = run && (await runner.decryptAccess(run));
    if (access && runner.isOnOtherMachine(run, access)) throw new RuleError('conflict', messages.elsewhere);
    const startedRun = await database.serializedWrite(context, async (manager) => {
      const row = await requireRow(manager, BackupRun, { _id: id }, messages.notFound);
      if (await manager.existsBy(BackupRun, { running: true })) throw new RuleError('conflict', messages.running);
      if (row.sha256 === null || row.removedAt !== null) throw new RuleError('conflict', messages.notStored);
      await manager.update(BackupRun, { _id: id }, { running: true, machineId, heartbeatAt: new Date().toISOString() });
      return row;
    });
    const { objectName, sha256, bytes, tables } = startedRun;
    const object = { name: objectName, sha256: sha256 ?? '', bytes, tables };
    if (access) runner.start(id, { type: 'verify', access, object });
    else await runner.finishRun(id, { type: 'failed', reason: messages.noAccess });
    return { _id: id };
  }

  /** Marks lost runs as failed, and starts a due backup. */
  async checkDue(): Promise<void> {
    if (!hasPassed(this.checkedAt, CHECK_INTERVAL_MS)) return;
    this.checkedAt = Date.now();
    const { database, plan, runner, timeZone } = this.options;
    const lostRuns = { running: true, heartbeatAt: LessThan(toIsoFromNow(-HEARTBEAT_TIMEOUT_MS)) };
    for (const { _id } of await database.read.findBy(BackupRun, lostRuns))
      await runner.finishRun(_id, { type: 'failed', reason: messages.interrupted });
    const { schedule, scheduledSince } = await plan.readRow();
    if (schedule === null || (await database.read.existsBy(BackupRun, { running: true }))) return;
    const lastRun = await this.findNewest({ trigger: 'schedule' });
    const waitingSince = lastRun && lastRun.startedAt > scheduledSince ? lastRun.startedAt : scheduledSince;
    if (findNextRun(schedule, timeZone, waitingSince) <= new Date().toISOString())
      await this.start(createCommandContext('backup'), 'schedule');
  }

  /** Finds the conditions that raise an alert of the kind `backup`. */
  async findConditions(): Promise<Condition[]> {
    const { database, plan, timeZone } = this.options;
    const lastEndedRun = await database.read.findOne(BackupRun, {
      where: { endedAt: Not(IsNull()) },
      order: { endedAt: 'DESC' },
    });
    if (lastEndedRun?.endedAt && lastEndedRun.outcome !== 'verified') {
      const formatReason = lastEndedRun.outcome === 'damaged' ? messages.damaged : messages.failed;
      return [createCondition(lastEndedRun.endedAt, formatReason(lastEndedRun.reason ?? ''))];
    }
    const { schedule, scheduledSince } = await plan.readRow();
    if (schedule === null) return [];
    const verifiedRun = await this.findNewest({ outcome: 'verified' });
    const waitingSince = verifiedRun && verifiedRun.startedAt > scheduledSince ? verifiedRun.startedAt : scheduledSince;
    const since = findOverdueAt(schedule, timeZone, waitingSince);
    if (since > new Date().toISOString()) return [];
    const hours = verifiedRun && Math.floor((Date.now() - Date.parse(verifiedRun.startedAt)) / HOUR_MS);
    return [createCondition(since, hours === null ? messages.never : messages.lastTooOld(hours))];
  }

  private findNewest(where: FindOptionsWhere<BackupRun>): Promise<BackupRun | null> {
    return this.options.database.read.findOne(BackupRun, { where, order: { startedAt: 'DESC' } });
  }
}

function formatLocation({ destination }: BackupAccess, name: string): string {
  return destination.type === 's3' ? `s3://${destination.bucket}/${name}` : join(destination.folder, name);
}

const createCondition = (since: string, reason: string): Condition => ({
  kind: 'backup',
  subject: { type: 'installation', id: 'installation', name: hostname() },
  machineId: '',
  since,
  reason,
});

const toResponse = ({ running, outcome, tables, sha256, removedAt, ...run }: BackupRun): BackupResponse => ({
  ...run,
  state: running || outcome === null ? 'running' : outcome,
  rows: Object.values(tables).reduce((sum, count) => sum + count, 0),
  stored: sha256 !== null && removedAt === null,
});
