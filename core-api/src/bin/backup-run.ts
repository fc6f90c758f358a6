/** Child process of the core that makes, verifies or removes one backup and reports the result over IPC. */
import type { BackupReport, BackupWork } from '../features/backups';
import { runBackupWork } from '../operations/backup/backup-run';
import { readConfig } from '../platform/config/config';

// New files get mode 0600.
process.umask(0o077);
// Only a disconnect stops this process, because the core can then store no result. Signals are ignored.
process.once('disconnect', () => process.exit(1));
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => undefined);

const send = (report: BackupReport): Promise<void> =>
  new Promise((resolve) => process.send?.(report, undefined, undefined, () => resolve()));

process.once('message', (work: BackupWork) => {
  const sentReports: Promise<void>[] = [];
  runBackupWork(readConfig(process.env), work, (report) => sentReports.push(send(report)))
    .then(() => Promise.all(sentReports))
    .then(
      () => process.exit(0),
      () => process.exit(1),
    );
});
