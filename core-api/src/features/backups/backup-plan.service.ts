import { resolve } from 'node:path';
import { applyChanges, computeNextVersion } from '../../platform/database/changes/apply-changes';
import type { ChangeContext, Database } from '../../platform/database/database';
import { createFieldError } from '../../platform/errors/rule-error';
import { toAuthority } from '../../platform/net/authority';
import { findHostRefusal } from '../../platform/net/guarded-lookup';
import { decryptStored, encryptChanged } from '../../platform/secrets/encryption';
import { BackupPlanRow } from './backup.entity';
import type { BackupAccess, Destination } from './backup-process';
import { findNextRun } from './backup-schedule';
import { backupPlanMessages as messages } from './backups.messages';
import type { PlanBody, PlanResponse } from './backups.schema';

const ROW_ID = 1;

interface PlanOptions {
  database: Database;
  /** The key that encrypts the secrets. */
  key: Buffer;
  timeZone: string;
  dataDir: string;
  ownPorts: readonly number[];
}

/** Returns the columns of a changed bucket. A new endpoint or access key needs a secret. @throws RuleError invalid */
function toBucketColumns(stored: BackupPlanRow, s3: NonNullable<PlanBody['s3']>, key: Buffer): Partial<BackupPlanRow> {
  const { secretAccessKey, ...bucket } = s3;
  const isSameKey = stored.s3?.endpoint === bucket.endpoint && stored.s3.accessKeyId === bucket.accessKeyId;
  if (secretAccessKey === undefined && !(isSameKey && stored.secretAccessKey))
    throw createFieldError('invalid', 's3.secretAccessKey', messages.secretAccessKey);
  return { s3: bucket, secretAccessKey: encryptChanged(stored.secretAccessKey, secretAccessKey, key) };
}

export class BackupPlanService {
  constructor(private readonly options: PlanOptions) {}

  readRow(): Promise<BackupPlanRow> {
    return this.options.database.read.findOneByOrFail(BackupPlanRow, { id: ROW_ID });
  }

  async get(): Promise<PlanResponse> {
    return this.toResponse(await this.readRow());
  }

  /** Changes the plan. An absent field keeps its value, and null clears a field. @throws RuleError invalid, stale */
  async update(context: ChangeContext, { s3, passphrase, ...changes }: PlanBody): Promise<PlanResponse> {
    const { database, key } = this.options;
    if (s3) await this.checkEndpoint(s3.endpoint);
    const row = await database.serializedWrite(context, async (manager) => {
      const storedPlan = await manager.findOneByOrFail(BackupPlanRow, { id: ROW_ID });
      const plan = applyChanges(storedPlan, changes);
      if (plan.schedule !== storedPlan.schedule) plan.scheduledSince = new Date().toISOString();
      if (s3 === null) Object.assign(plan, { s3, secretAccessKey: '' });
      if (s3) Object.assign(plan, toBucketColumns(storedPlan, s3, key));
      plan.passphrase = encryptChanged(storedPlan.passphrase, passphrase, key);
      if (plan.s3 && !plan.passphrase) throw createFieldError('invalid', 'passphrase', messages.passphraseRequired);
      plan.version = computeNextVersion(storedPlan, plan, context);
      await manager.update(BackupPlanRow, { id: ROW_ID }, plan);
      return plan;
    });
    return this.toResponse(row);
  }

  /** Returns the destination and the passphrase of a new backup. */
  async createAccess(): Promise<BackupAccess> {
    const row = await this.readRow();
    return { destination: this.toDestination(row), passphrase: decryptStored(row.passphrase, this.options.key) };
  }

  /** Returns the access to a stored backup, with the current credentials if the plan still has its bucket. */
  async refreshCredentials(access: BackupAccess): Promise<BackupAccess> {
    const { destination } = access;
    const currentDestination = this.toDestination(await this.readRow());
    const isSameBucket =
      destination.type === 's3' &&
      currentDestination.type === 's3' &&
      destination.endpoint === currentDestination.endpoint &&
      destination.bucket === currentDestination.bucket;
    return isSameBucket ? { ...access, destination: currentDestination } : access;
  }

  private toDestination({ s3, folder, secretAccessKey }: BackupPlanRow): Destination {
    return s3
      ? { type: 's3', ...s3, secretAccessKey: decryptStored(secretAccessKey, this.options.key) }
      : { type: 'folder', folder: folder ?? this.defaultFolder };
  }

  private get defaultFolder(): string {
    return resolve(this.options.dataDir, 'backups');
  }

  /** Refuses metadata addresses and destinations in this installation. @throws RuleError invalid */
  private async checkEndpoint(endpoint: string): Promise<void> {
    const { host, port } = toAuthority(new URL(endpoint));
    if (await findHostRefusal(host, port, this.options.ownPorts))
      throw createFieldError('invalid', 's3.endpoint', messages.endpointForbidden);
  }

  private toResponse({ id: _id, passphrase, secretAccessKey: _secret, scheduledSince: _since, ...row }: BackupPlanRow) {
    const { timeZone } = this.options;
    return {
      ...row,
      timeZone,
      nextRunAt: row.schedule && findNextRun(row.schedule, timeZone, new Date().toISOString()),
      defaultFolder: this.defaultFolder,
      encrypted: passphrase !== '',
    };
  }
}
