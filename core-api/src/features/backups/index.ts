export type { BackupReport, BackupWork, Destination, StoredObject } from './backup-process';
export { backupPlanMessages } from './backups.messages';
