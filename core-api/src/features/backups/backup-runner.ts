import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { IsNull, Not } from 'typeorm';
import type { Database } from '../../platform/database/database';
import { decrypt, encrypt } from '../../platform/secrets/encryption';
import { BackupRun } from './backup.entity';
import type { BackupPlanService } from './backup-plan.service';
import {
  type BackupAccess,
  type BackupProcess,
  type BackupReport,
  type BackupWork,
  startBackupProcess,
} from './backup-process';
import { chooseRemovals } from './backup-retention';
import { backupPlanMessages as messages } from './backups.messages';

const HEARTBEAT_MS = 10_000;
const MAX_REASON_LENGTH = 500;

export interface BackupRunnerOptions {
  database: Database;
  plan: BackupPlanService;
  machineId: string;
  /** Key that encrypts the `BackupAccess` of each run. */
  key: Buffer;
  timeZone: string;
  log: Logger;
}

/** Runs backups in a child process, stores their results, and removes objects that the plan no longer keeps. */
export class BackupRunner {
  private process: BackupProcess | undefined;
  private currentRun: Promise<void> | undefined;

  constructor(private readonly options: BackupRunnerOptions) {}

  /** Ends the child process. Its run counts as failed. */
  async stop(): Promise<void> {
    this.process?.stop();
    await this.currentRun;
  }

  /** Starts a child process and stores its reports. @param id of the `BackupRun` */
  start(id: string, work: BackupWork): void {
    const { database, log } = this.options;
    const heartbeat = setInterval(() => {
      const heartbeatAt = new Date().toISOString();
      // A failed write is repeated at the next tick. A run counts as lost only after six failed writes.
      database
        .concurrentWrite((manager) => manager.update(BackupRun, { _id: id }, { heartbeatAt }))
        .catch(() => undefined);
    }, HEARTBEAT_MS);
    let objectWrite: Promise<unknown> | undefined;
    const backupProcess = startBackupProcess(work, {
      onReport: (report) => {
        if (report.type !== 'stored') return;
        const { bytes, sha256, tables } = report.object;
        objectWrite = database.concurrentWrite((manager) =>
          manager.update(BackupRun, { _id: id }, { bytes, sha256, tables }),
        );
        // `storeResult` awaits the write later. Until then, a failure would be unhandled, which would end the core.
        objectWrite.catch(() => undefined);
      },
    });
    this.process = backupProcess;
    const storeResult = async () => {
      try {
        const report = await backupProcess.whenEnded;
        await objectWrite;
        await this.finishRun(id, report ?? { type: 'failed', reason: messages.interrupted });
        if (work.type === 'make' && report?.type === 'verified') await this.removeExpired();
      } catch (error) {
        log.warn({ err: error, backup: id }, 'the result of a backup was not stored');
      } finally {
        clearInterval(heartbeat);
        // The next backup may have started while old objects were removed.
        if (this.process === backupProcess) this.process = undefined;
      }
    };
    this.currentRun = storeResult();
  }

  /** Stores the result of a run that is still marked as running. */
  async finishRun(id: string, report: BackupReport): Promise<void> {
    const endedAt = new Date().toISOString();
    const result =
      report.type === 'failed' || report.type === 'damaged'
        ? { outcome: report.type, reason: report.reason.slice(0, MAX_REASON_LENGTH) }
        : { outcome: 'verified' as const, reason: null, verifiedAt: endedAt };
    await this.options.database.concurrentWrite((manager) =>
      manager.update(BackupRun, { _id: id, running: true }, { running: false, endedAt, ...result }),
    );
  }

  /** Removes objects that the plan no longer keeps. A removal that fails is repeated after the next backup. */
  private async removeExpired(): Promise<void> {
    const { database, plan, timeZone, log } = this.options;
    const storedRuns = await database.read.findBy(BackupRun, {
      running: false,
      sha256: Not(IsNull()),
      removedAt: IsNull(),
    });
    for (const run of chooseRemovals(storedRuns, await plan.readRow(), timeZone)) {
      const access = await this.decryptAccess(run);
      if (!access || this.isOnOtherMachine(run, access)) continue;
      const report = await startBackupProcess({ type: 'remove', access, name: run.objectName }).whenEnded;
      if (report?.type === 'removed') {
        const removedAt = new Date().toISOString();
        await database.concurrentWrite((manager) => manager.update(BackupRun, { _id: run._id }, { removedAt }));
      } else log.warn({ backup: run._id }, 'an old backup was not removed');
    }
  }

  /** Whether the object lies in a folder that only another machine has. A shared folder is visible here, too. */
  isOnOtherMachine({ machineId, objectName }: BackupRun, { destination }: BackupAccess): boolean {
    return (
      destination.type === 'folder' &&
      machineId !== this.options.machineId &&
      !existsSync(join(destination.folder, objectName))
    );
  }

  /** The encrypted access, as a run stores it. */
  encryptAccess(access: BackupAccess): string {
    return encrypt(JSON.stringify(access), this.options.key);
  }

  /** Access to the object of a run; undefined if the access was encrypted with another key. */
  async decryptAccess({ access }: BackupRun): Promise<BackupAccess | undefined> {
    const text = access && decrypt(access, this.options.key);
    return text ? this.options.plan.refreshCredentials(JSON.parse(text)) : undefined;
  }
}
