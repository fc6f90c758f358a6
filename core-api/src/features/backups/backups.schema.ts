import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { objectsWithFieldMessages, optionalText, requiredText, wholeNumber } from '../../platform/http/input/fields';
import { parseUrl } from '../../platform/net/parse-url';
import { findScheduleViolation } from './backup-schedule';
import { backupPlanMessages as messages } from './backups.messages';

const keepCount = wholeNumber(0, 1000, messages.keep).optional();

/** Null and empty text clear the schedule. */
const schedule = optionalText(100, messages.scheduleViolations.invalid).superRefine((text, context) => {
  const violation = text ? findScheduleViolation(text) : undefined;
  if (violation) context.addIssue({ code: 'custom', message: messages.scheduleViolations[violation] });
});

const folder = optionalText(1024, messages.folder).refine(
  (text) => !text || (isAbsolute(text) && !text.includes('\0')),
  messages.folder,
);

function isEndpoint(text: string): boolean {
  const url = parseUrl(text);
  return url !== undefined && /^https?:$/.test(url.protocol) && !url.username && !url.password;
}

const s3 = z.object({
  endpoint: z.string(messages.endpoint).trim().max(1024, messages.endpoint).refine(isEndpoint, messages.endpoint),
  bucket: requiredText(255, messages.bucket, messages.bucket),
  region: requiredText(100, messages.region, messages.region).default('us-east-1'),
  accessKeyId: requiredText(255, messages.accessKeyId, messages.accessKeyId),
  /** If absent, the stored secret stays. */
  secretAccessKey: requiredText(1024, messages.secretAccessKey, messages.secretAccessKey).optional(),
  forcePathStyle: z.boolean().default(true),
});

/** PUT /backup-plan; an absent field keeps its value. Null clears schedule, folder, bucket or passphrase. */
export const planBody = z.object({
  schedule,
  keepDaily: keepCount,
  keepWeekly: keepCount,
  keepMonthly: keepCount,
  folder,
  s3: s3.nullish().register(objectsWithFieldMessages),
  passphrase: z
    .string(messages.passphrase)
    .max(512, messages.passphrase)
    .refine((text) => text === '' || text.length >= 12, messages.passphrase)
    .nullish()
    .transform((text) => (text === null ? '' : text)),
});
export type PlanBody = z.output<typeof planBody>;

/** The response has no secrets. */
export const planResponse = z
  .object({
    schedule: z.string().nullable(),
    timeZone: z.string(),
    nextRunAt: z.iso.datetime().nullable(),
    keepDaily: z.int(),
    keepWeekly: z.int(),
    keepMonthly: z.int(),
    folder: z.string().nullable(),
    defaultFolder: z.string(),
    s3: s3.omit({ secretAccessKey: true }).extend({ region: z.string(), forcePathStyle: z.boolean() }).nullable(),
    encrypted: z.boolean(),
    version: z.int(),
  })
  .meta({ id: 'BackupPlan' });
export type PlanResponse = z.output<typeof planResponse>;

const backupStates = ['running', 'verified', 'failed', 'damaged'] as const;

const backupResponse = z
  .object({
    _id: z.uuid(),
    state: z.enum(backupStates),
    trigger: z.enum(['schedule', 'manual']),
    reason: z.string().nullable(),
    startedAt: z.iso.datetime(),
    endedAt: z.iso.datetime().nullable(),
    verifiedAt: z.iso.datetime().nullable(),
    location: z.string(),
    bytes: z.int(),
    rows: z.int(),
    /** False once retention has removed the object, or if no object was stored. */
    stored: z.boolean(),
  })
  .meta({ id: 'Backup' });
export type BackupResponse = z.output<typeof backupResponse>;
export const backupsResponse = z.object({ backups: z.array(backupResponse), total: z.int() }).meta({ id: 'Backups' });
export const startedBackup = z.object({ _id: z.uuid() }).meta({ id: 'StartedBackup' });
