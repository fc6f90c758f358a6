import { Fieldset, SimpleGrid } from '@chakra-ui/react';
import { readFresh } from '../../lib/graphql/client/client';
import { FormDialog } from '../../ui/dialog/FormDialog';
import { CheckField } from '../../ui/form/fields/checkFields';
import { RadioField } from '../../ui/form/fields/RadioField';
import { SelectField } from '../../ui/form/fields/SelectField';
import { CODE_INPUT, getNumberProps, TextField } from '../../ui/form/fields/textFields';
import type { FormFields } from '../../ui/form/formFields';
import { useAppForm } from '../../ui/form/state/useAppForm';
import { backupsMessages } from './backups.messages';
import { BackupPlanDocument, type BackupPlanFieldsFragment, useUpdateBackupPlanMutation } from './generated/backups';
import { Note } from './Note';
import { createPlanSchema, MAX_KEPT_BACKUPS, type PlanValues, toPlanInput, toPlanValues } from './planForm';

const { dialog: messages, failure, schedule } = backupsMessages;
const WEEKDAYS = schedule.weekdays.map((label, weekday) => ({ value: String(weekday), label }));
const KEEP_INPUT = getNumberProps(0, MAX_KEPT_BACKUPS);

interface PlanFieldsProps {
  form: FormFields<PlanValues>;
  plan: BackupPlanFieldsFragment;
}

function ScheduleFields({ form, plan }: PlanFieldsProps) {
  const frequency = form.watch('frequency');
  return (
    <>
      <RadioField {...form.choice('frequency', messages)} options={messages.frequencies} />
      {frequency === 'weekly' && <SelectField {...form.choice('weekday', messages)} options={WEEKDAYS} />}
      {(frequency === 'daily' || frequency === 'weekly') && (
        <TextField {...form.text('time', messages)} type="time" hint={messages.timeInZone(plan.timeZone)} required />
      )}
      {frequency === 'custom' && (
        <TextField
          {...form.text('schedule', messages)}
          {...CODE_INPUT}
          hint={messages.scheduleInZone(plan.timeZone)}
          required
        />
      )}
    </>
  );
}

const BucketFields = ({ form, plan }: PlanFieldsProps) => (
  <>
    <TextField {...form.text('endpoint', messages)} {...CODE_INPUT} type="url" required />
    <SimpleGrid columns={{ md: 2 }} gap="4">
      <TextField {...form.text('bucket', messages)} {...CODE_INPUT} required />
      <TextField {...form.text('region', messages)} {...CODE_INPUT} />
    </SimpleGrid>
    <TextField {...form.text('accessKeyId', messages)} {...CODE_INPUT} required />
    <TextField
      {...form.text('secretAccessKey', messages)}
      type="password"
      autoComplete="off"
      hint={plan.s3 ? messages.secretHint : undefined}
      required={!plan.s3}
    />
    <CheckField {...form.check('forcePathStyle', messages)} />
  </>
);

function EncryptionFields({ form, plan }: PlanFieldsProps) {
  const isInBucket = form.watch('destination') === 's3';
  const newPassphraseHint = form.errors.passphrase ? undefined : messages.passphraseHint;
  const password = { type: 'password', autoComplete: 'new-password', required: !plan.encrypted } as const;
  return (
    <>
      {isInBucket ? <Note>{messages.encryptS3}</Note> : <CheckField {...form.check('encrypt', messages)} />}
      {(form.watch('encrypt') || isInBucket) && (
        <>
          <TextField
            {...form.text('passphrase', messages)}
            {...password}
            hint={plan.encrypted ? messages.passphraseKept : newPassphraseHint}
          />
          <TextField {...form.text('passphraseAgain', messages)} {...password} />
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
  const form = useAppForm({
    initial: toPlanValues(plan),
    schema: createPlanSchema(plan),
    failureMessage: failure.save,
    send: (values, version) => update({ variables: { input: toPlanInput(values), version } }),
    editedEntity: {
      row: plan,
      read: async () => (await readFresh(BackupPlanDocument, {}))?.backupPlan,
      toValues: toPlanValues,
      labels: messages,
    },
    onSaved: onClose,
    success: messages.saved,
  });
  return (
    <FormDialog title={messages.title} width={600} form={form} onClose={onClose}>
      <ScheduleFields form={form} plan={plan} />
      <RadioField {...form.choice('destination', messages)} options={messages.destinations} />
      {form.watch('destination') === 'folder' ? (
        <TextField {...form.text('folder', messages)} {...CODE_INPUT} hint={messages.folderUse(plan.defaultFolder)} />
      ) : (
        <BucketFields form={form} plan={plan} />
      )}
      <EncryptionFields form={form} plan={plan} />
      <Fieldset.Root>
        <Fieldset.Legend>{messages.retention}</Fieldset.Legend>
        <SimpleGrid columns={{ md: 3 }} gap="4">
          <TextField {...form.text('keepDaily', messages)} {...KEEP_INPUT} />
          <TextField {...form.text('keepWeekly', messages)} {...KEEP_INPUT} />
          <TextField {...form.text('keepMonthly', messages)} {...KEEP_INPUT} />
        </SimpleGrid>
      </Fieldset.Root>
    </FormDialog>
  );
}
