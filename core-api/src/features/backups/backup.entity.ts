import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Audited } from '../../platform/audit/audited';
import { Counter, Id, Instant, Varchar, Version } from '../../platform/database/schema/columns';

/** A bucket of an S3-compatible service, without the secret of its key. */
export interface S3Bucket {
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  forcePathStyle: boolean;
}

/** Schedule, destination and retention of backups. The table has one row. */
@Audited({ entity: 'backup_plan', secret: ['secretAccessKey', 'passphrase'], omit: ['scheduledSince'] })
@Entity('backup_plan')
export class BackupPlanRow {
  @PrimaryColumn('integer') id: number;
  /** Five cron fields in `TIME_ZONE`; null if backups are only made by hand. */
  @Varchar(100, { nullable: true }) schedule: string | null;
  /** Time at which the schedule was set. Earlier times of the schedule do not count as missed. */
  @Instant() scheduledSince: string;
  @Column('integer') keepDaily: number;
  @Column('integer') keepWeekly: number;
  @Column('integer') keepMonthly: number;
  /** Null means `backups` in `DATA_DIR`. The folder is not used while a bucket is set. */
  @Varchar(1024, { nullable: true }) folder: string | null;
  @Column('simple-json', { nullable: true }) s3: S3Bucket | null;
  /** Encrypted; empty without a bucket. */
  @Column('text') secretAccessKey: string;
  /** Encrypted; empty if files in a folder are not encrypted. */
  @Column('text') passphrase: string;
  @Version() version: number;
}

const backupOutcomes = ['verified', 'failed', 'damaged'] as const;
export type BackupOutcome = (typeof backupOutcomes)[number];

export type BackupTrigger = 'schedule' | 'manual';

/** One backup, with the result of its last verification. */
@Entity('backup_runs')
export class BackupRun {
  @Id() _id: string;
  /** True while a child process makes or verifies the backup. */
  @Column('boolean') running: boolean;
  /** The machine that last made or verified the backup. If the folder is not shared, only this machine has the file. */
  @Varchar(36) machineId: string;
  /** Renewed while the child process runs. */
  @Instant() heartbeatAt: string;
  @Varchar(16) trigger: BackupTrigger;
  /** Result of the last creation or verification; null before the first result. */
  @Varchar(16, { nullable: true }) outcome: BackupOutcome | null;
  @Varchar(500, { nullable: true }) reason: string | null;
  @Instant() startedAt: string;
  @Instant({ nullable: true }) endedAt: string | null;
  @Instant({ nullable: true }) verifiedAt: string | null;
  /** Name of the file, or key of the object in a bucket. */
  @Varchar(255) objectName: string;
  /** Shown in the console: a path, or `s3://bucket/key`. */
  @Varchar(2048) location: string;
  @Counter() bytes: number;
  /** Digest of the stored object, hexadecimal; null if nothing was stored. */
  @Varchar(64, { nullable: true }) sha256: string | null;
  /** Rows by table. */
  @Column('simple-json') tables: Record<string, number>;
  /** Encrypted JSON of the `BackupAccess` with which the object was stored. */
  @Column('text') access: string;
  /** Time at which retention removed the object. */
  @Instant({ nullable: true }) removedAt: string | null;
}
