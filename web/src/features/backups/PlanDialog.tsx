import { Fieldset, SimpleGrid } from '@chakra-ui/react';
import { readFresh } from '../../lib/graphql/client';
import { FormDialog } from '../../ui/dialog/FormDialog';
import { CheckField } from '../../ui/form/checkFields';
import type { FormFields } from '../../ui/form/formFields';
import { RadioField } from '../../ui/form/RadioField';
import { SelectField } from '../../ui/form/SelectField';
import { CODE_INPUT, numberInput, TextField } from '../../ui/form/textFields';
import { useDraftForm } from '../../ui/form/useDraftForm';
import { backupsMessages } from './backups.messages';
import { BackupPlanDocument, type BackupPlanFieldsFragment, useUpdateBackupPlanMutation } from './generated/backups';
import { Note } from './Note';
import { type PlanValues, planInput, planSchema, planValues } from './planForm';

const { dialog: messages, failure, schedule } = backupsMessages;
const WEEKDAYS = schedule.weekdays.map((label, weekday) => ({ value: String(weekday), label }));
const KEEP_INPUT = numberInput(0, 1000);

interface PlanFieldsProps {
  form: FormFields<PlanValues>;
  plan: BackupPlanFieldsFragment;
}

/** When backups are made. */
function ScheduleFields({ form, plan }: PlanFieldsProps) {
  const { frequency } = form.values;
  return (
    <>
      <RadioField label={messages.frequency} options={messages.frequencies} {...form.radio('frequency')} />
      {frequency === 'weekly' && (
        <SelectField label={messages.weekday} options={WEEKDAYS} {...form.choice('weekday')} />
      )}
      {(frequency === 'daily' || frequency === 'weekly') && (
        <TextField
          label={messages.time}
          {...form.text('time')}
          type="time"
          hint={messages.timeHint(plan.timeZone)}
          required
        />
      )}
      {frequency === 'custom' && (
        <TextField
          label={messages.schedule}
          {...form.text('schedule')}
          {...CODE_INPUT}
          hint={messages.scheduleHint(plan.timeZone)}
          required
        />
      )}
    </>
  );
}

/** The bucket that stores the backups. */
const BucketFields = ({ form, plan }: PlanFieldsProps) => (
  <>
    <TextField label={messages.endpoint} {...form.text('endpoint')} {...CODE_INPUT} type="url" required />
    <SimpleGrid columns={{ md: 2 }} gap="4">
      <TextField label={messages.bucket} {...form.text('bucket')} {...CODE_INPUT} required />
      <TextField label={messages.region} {...form.text('region')} {...CODE_INPUT} />
    </SimpleGrid>
    <TextField label={messages.accessKeyId} {...form.text('accessKeyId')} {...CODE_INPUT} required />
    <TextField
      label={messages.secretAccessKey}
      {...form.text('secretAccessKey')}
      type="password"
      autoComplete="off"
      hint={plan.s3 ? messages.secretHint : undefined}
    />
    <CheckField label={messages.pathStyle} {...form.check('forcePathStyle')} />
  </>
);

/** Whether backups are encrypted, and the passphrase. */
function EncryptionFields({ form, plan }: PlanFieldsProps) {
  const isInBucket = form.values.destination === 's3';
  return (
    <>
      {isInBucket ? (
        <Note>{messages.encryptS3}</Note>
      ) : (
        <CheckField label={messages.encrypt} {...form.check('encrypt')} />
      )}
      {(form.values.encrypt || isInBucket) && (
        <>
          <TextField
            label={messages.passphrase}
            {...form.text('passphrase')}
            type="password"
            autoComplete="new-password"
            hint={
              plan.encrypted ? messages.passphraseKept : form.errors.passphrase ? undefined : messages.passphraseHint
            }
            required={!plan.encrypted}
          />
          <TextField
            label={messages.passphraseAgain}
            {...form.text('passphraseAgain')}
            type="password"
            autoComplete="new-password"
            required={!plan.encrypted}
          />
        </>
      )}
    </>
  );
}

/**
 * Edits when backups are made, where they are stored and how many are kept. The form stores no draft, because it
 * contains secrets.
 */
export function PlanDialog({ plan, onClose }: { plan: BackupPlanFieldsFragment; onClose: () => void }) {
  const [update] = useUpdateBackupPlanMutation({ refetchQueries: [BackupPlanDocument], awaitRefetchQueries: true });
  const form = useDraftForm({
    draft: null,
    initial: planValues(plan),
    schema: planSchema(plan.encrypted),
    fallback: failure.save,
    send: (values, version) => update({ variables: { input: planInput(values), version } }),
    edited: {
      row: plan,
      read: async () => (await readFresh(BackupPlanDocument, {}))?.backupPlan,
      toValues: planValues,
      names: messages,
    },
    onSaved: onClose,
    success: messages.saved,
  });
  return (
    <FormDialog title={messages.title} width={600} form={form} onClose={onClose}>
      <ScheduleFields form={form} plan={plan} />
      <RadioField label={messages.destination} options={messages.destinations} {...form.radio('destination')} />
      {form.values.destination === 'folder' ? (
        <TextField
          label={messages.folder}
          {...form.text('folder')}
          {...CODE_INPUT}
          hint={messages.folderHint(plan.defaultFolder)}
        />
      ) : (
        <BucketFields form={form} plan={plan} />
      )}
      <EncryptionFields form={form} plan={plan} />
      <Fieldset.Root>
        <Fieldset.Legend>{messages.retention}</Fieldset.Legend>
        <SimpleGrid columns={{ md: 3 }} gap="4">
          <TextField label={messages.keepDaily} {...form.text('keepDaily')} {...KEEP_INPUT} />
          <TextField label={messages.keepWeekly} {...form.text('keepWeekly')} {...KEEP_INPUT} />
          <TextField label={messages.keepMonthly} {...form.text('keepMonthly')} {...KEEP_INPUT} />
        </SimpleGrid>
      </Fieldset.Root>
    </FormDialog>
  );
}
