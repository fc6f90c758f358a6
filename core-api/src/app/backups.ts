import type { Logger } from 'pino';
import { BackupPlanService } from '../features/backups/backup-plan.service';
import { BackupRunner } from '../features/backups/backup-runner';
import { backupEndpoints } from '../features/backups/backups.routes';
import { BackupsService } from '../features/backups/backups.service';
import type { Config } from '../platform/config';
import type { Database } from '../platform/database/database';
import { LeasedJob } from '../platform/jobs/leased-job';
import type { Secrets } from '../platform/secrets/secrets';

interface BackupOptions {
  config: Config;
  secrets: Secrets;
  database: Database;
  machineId: string;
  log: Logger;
}

/** Backups by plan and by hand. */
export function createBackups({ config, secrets, database, machineId, log }: BackupOptions) {
  const shared = { database, key: secrets.settings, timeZone: config.TIME_ZONE };
  const plan = new BackupPlanService({ ...shared, dataDir: config.DATA_DIR, ownPorts: config.OWN_PORTS });
  const runner = new BackupRunner({ ...shared, plan, machineId, log });
  const backups = new BackupsService({ ...shared, plan, runner, machineId });
  return {
    conditions: () => backups.conditions(),
    job: new LeasedJob(database, 'backups', backups.checkDue, log, { onStop: runner.stop }),
    endpoints: backupEndpoints(plan, backups),
  };
}
