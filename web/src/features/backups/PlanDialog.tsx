import { Fieldset, SimpleGrid } from '@chakra-ui/react';
import { readFresh } from '../../lib/graphql/client';
import { FormDialog } from '../../ui/dialog/FormDialog';
import { CheckField } from '../../ui/form/checkFields';
import { RadioField } from '../../ui/form/RadioField';
import { SelectField } from '../../ui/form/SelectField';
import { CODE_INPUT, numberInput, TextField } from '../../ui/form/textFields';
import { useDraftForm } from '../../ui/form/useDraftForm';
import { backupsMessages } from './backups.messages';
import { BackupPlanDocument, type BackupPlanFieldsFragment, useUpdateBackupPlanMutation } from './generated/backups';
import { Note } from './Note';
import { planInput, planSchema, planValues } from './planForm';

const { dialog: messages, failure, schedule } = backupsMessages;
const WEEKDAYS = schedule.weekdays.map((label, weekday) => ({ value: String(weekday), label }));
const KEEP_INPUT = numberInput(0, 1000);

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
      valuesOf: planValues,
      names: messages,
    },
    onSaved: onClose,
    success: messages.saved,
  });
  const { values } = form;
  const { frequency, destination } = values;
  const isTimed = frequency === 'daily' || frequency === 'weekly';
  return (
    <FormDialog title={messages.title} width={600} form={form} onClose={onClose}>
      <RadioField label={messages.frequency} options={messages.frequencies} {...form.radio('frequency')} />
      {frequency === 'weekly' && (
        <SelectField label={messages.weekday} options={WEEKDAYS} {...form.choice('weekday')} />
      )}
      {isTimed && (
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
      <RadioField label={messages.destination} options={messages.destinations} {...form.radio('destination')} />
      {destination === 'folder' ? (
        <TextField
          label={messages.folder}
          {...form.text('folder')}
          {...CODE_INPUT}
          hint={messages.folderHint(plan.defaultFolder)}
        />
      ) : (
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
      )}
      {destination === 's3' ? (
        <Note>{messages.encryptS3}</Note>
      ) : (
        <CheckField label={messages.encrypt} {...form.check('encrypt')} />
      )}
      {(values.encrypt || destination === 's3') && (
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
