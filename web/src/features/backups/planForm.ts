import { boolean, check, forward, type InferOutput, object, picklist, pipe, string } from 'valibot';
import type { BackupPlanInput } from '../../generated/graph';
import { integerText } from '../../ui/form/schema/schemas';
import { uiMessages } from '../../ui/ui.messages';
import { backupsMessages } from './backups.messages';
import type { BackupPlanFieldsFragment } from './generated/backups';
import { formatCron, isPlausibleCron, parseSchedule } from './schedule';

const { wrong } = backupsMessages.dialog;
const DEFAULT_REGION = 'us-east-1';
const MIN_PASSPHRASE_LENGTH = 12;
const MAX_PASSPHRASE_LENGTH = 512;
export const MAX_KEPT_BACKUPS = 1000;
const retentionSchema = integerText(0, MAX_KEPT_BACKUPS, wrong.keep);

const fields = object({
  frequency: picklist(['off', 'daily', 'weekly', 'custom']),
  time: string(),
  weekday: string(),
  schedule: string(),
  destination: picklist(['folder', 's3']),
  folder: string(),
  endpoint: string(),
  bucket: string(),
  region: string(),
  accessKeyId: string(),
  secretAccessKey: string(),
  forcePathStyle: boolean(),
  encrypt: boolean(),
  passphrase: string(),
  passphraseAgain: string(),
  keepDaily: retentionSchema,
  keepWeekly: retentionSchema,
  keepMonthly: retentionSchema,
});
export type PlanValues = InferOutput<typeof fields>;

const isEncrypted = ({ encrypt, destination }: PlanValues): boolean => encrypt || destination === 's3';
/** Requires a field if backups go to a bucket, unless the field has a saved value. */
const requireForBucket = (
  name: 'bucket' | 'accessKeyId' | 'secretAccessKey',
  { hasSavedValue } = { hasSavedValue: false },
) =>
  forward(
    check<PlanValues, string>(
      (values) => hasSavedValue || values.destination !== 's3' || values[name].trim() !== '',
      uiMessages.required,
    ),
    [name],
  );

const parseProtocol = (url: string): string => (URL.canParse(url) ? new URL(url).protocol : '');

/** Returns the schema for a change of the saved plan. An empty secret keeps its saved value. */
export const createPlanSchema = ({ encrypted, s3 }: Pick<BackupPlanFieldsFragment, 'encrypted' | 's3'>) =>
  pipe(
    fields,
    forward(
      check(({ frequency, time }) => !['daily', 'weekly'].includes(frequency) || /^\d\d:\d\d$/.test(time), wrong.time),
      ['time'],
    ),
    forward(
      check(({ frequency, schedule }) => frequency !== 'custom' || isPlausibleCron(schedule), wrong.schedule),
      ['schedule'],
    ),
    forward(
      check(
        ({ destination, endpoint }) => destination !== 's3' || /^https?:$/.test(parseProtocol(endpoint)),
        wrong.endpoint,
      ),
      ['endpoint'],
    ),
    forward(
      check(({ destination, folder }) => destination !== 'folder' || /^(\/|$)/.test(folder.trim()), wrong.folder),
      ['folder'],
    ),
    requireForBucket('bucket'),
    requireForBucket('accessKeyId'),
    requireForBucket('secretAccessKey', { hasSavedValue: s3 !== null }),
    forward(
      check((values) => {
        const { length } = values.passphrase;
        const isValid = length >= MIN_PASSPHRASE_LENGTH && length <= MAX_PASSPHRASE_LENGTH;
        return !isEncrypted(values) || (length === 0 && encrypted) || isValid;
      }, wrong.passphrase),
      ['passphrase'],
    ),
    forward(
      check(
        (values) => !isEncrypted(values) || values.passphrase === values.passphraseAgain,
        ({ input: { passphrase, passphraseAgain } }) =>
          passphrase.trim() === passphraseAgain.trim() ? wrong.passphraseSpaces : wrong.passphraseAgain,
      ),
      ['passphraseAgain'],
    ),
  );

export function toPlanValues(plan: BackupPlanFieldsFragment): PlanValues {
  const { schedule: cron, s3 } = plan;
  const parsed = parseSchedule(cron);
  return {
    frequency: parsed.frequency,
    time: 'time' in parsed ? parsed.time : '03:00',
    weekday: 'weekday' in parsed ? String(parsed.weekday) : '0',
    schedule: cron ?? '',
    destination: s3 ? 's3' : 'folder',
    folder: plan.folder ?? '',
    endpoint: s3?.endpoint ?? '',
    bucket: s3?.bucket ?? '',
    region: s3?.region ?? DEFAULT_REGION,
    accessKeyId: s3?.accessKeyId ?? '',
    secretAccessKey: '',
    forcePathStyle: s3?.forcePathStyle ?? true,
    encrypt: plan.encrypted,
    passphrase: '',
    passphraseAgain: '',
    keepDaily: String(plan.keepDaily),
    keepWeekly: String(plan.keepWeekly),
    keepMonthly: String(plan.keepMonthly),
  };
}

function toCron({ frequency, time, weekday, schedule }: PlanValues): string | null {
  if (frequency === 'off') return null;
  return frequency === 'custom' ? schedule.trim() : formatCron(time, frequency === 'daily' ? '*' : weekday);
}

/** Returns the new passphrase; undefined keeps the saved passphrase, and null removes it. */
function toPassphrase(values: PlanValues): string | null | undefined {
  return isEncrypted(values) ? values.passphrase || undefined : null;
}

/** Converts form values to the input of a mutation. An undefined field keeps its saved value. */
export function toPlanInput(values: PlanValues): BackupPlanInput {
  const { destination, folder, endpoint, bucket, region, accessKeyId, secretAccessKey, forcePathStyle } = values;
  return {
    schedule: toCron(values),
    keepDaily: Number(values.keepDaily),
    keepWeekly: Number(values.keepWeekly),
    keepMonthly: Number(values.keepMonthly),
    folder: destination === 'folder' ? folder.trim() || null : undefined,
    s3:
      destination === 's3'
        ? {
            endpoint: endpoint.trim(),
            bucket: bucket.trim(),
            region: region.trim() || DEFAULT_REGION,
            accessKeyId: accessKeyId.trim(),
            secretAccessKey: secretAccessKey || undefined,
            forcePathStyle,
          }
        : null,
    passphrase: toPassphrase(values),
  };
}
