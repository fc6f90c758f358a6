import { BackupPlanService } from '../features/backups/backup-plan.service';
import { BackupRunner } from '../features/backups/backup-runner';
import { backupEndpoints } from '../features/backups/backups.routes';
import { BackupsService } from '../features/backups/backups.service';
import { LeasedJob } from '../platform/jobs/leased-job';
import type { AppContext } from './app-context';

export function createBackups({ config, secrets, database, machineId, log }: AppContext) {
  const commonOptions = { database, key: secrets.settings, timeZone: config.TIME_ZONE };
  const plan = new BackupPlanService({ ...commonOptions, dataDir: config.DATA_DIR, ownPorts: config.OWN_PORTS });
  const runner = new BackupRunner({ ...commonOptions, plan, machineId, log });
  const backups = new BackupsService({ ...commonOptions, plan, runner, machineId });
  return {
    findConditions: () => backups.findConditions(),
    job: new LeasedJob({ database, log, name: 'backups', run: () => backups.checkDue(), onStop: () => runner.stop() }),
    endpoints: backupEndpoints(plan, backups),
  };
}
