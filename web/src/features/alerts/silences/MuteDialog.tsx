import { object, string } from 'valibot';
import { FormDialog } from '../../../ui/dialog/FormDialog';
import { SelectField } from '../../../ui/form/fields/SelectField';
import { TextField } from '../../../ui/form/fields/textFields';
import { requiredText } from '../../../ui/form/schema/schemas';
import { useAppForm } from '../../../ui/form/state/useAppForm';
import { alertsMessages } from '../alerts.messages';
import { type AlertRowFragment, MutesDocument, useMuteSubjectMutation } from '../generated/alerts';

const { mute: messages } = alertsMessages;
const HOUR_MS = 3_600_000;
const schema = object({ hours: string(), reason: requiredText() });

/** Silences one kind of alert of one subject for a while. */
export function MuteDialog({ alert, onClose }: { alert: AlertRowFragment; onClose: () => void }) {
  const [mute] = useMuteSubjectMutation({ refetchQueries: [MutesDocument] });
  const { kind, subject } = alert;
  const form = useAppForm({
    draft: `mutes:${alert._id}`,
    initial: { hours: '1', reason: '' },
    schema,
    failureMessage: messages.failure,
    send: ({ hours, reason }) => {
      const until = new Date(Date.now() + Number(hours) * HOUR_MS).toISOString();
      return mute({
        variables: { input: { kind, subject: { type: subject.type, id: subject.id }, until, reason: reason.trim() } },
      });
    },
    onSaved: onClose,
    success: messages.success,
  });
  return (
    <FormDialog title={messages.title(subject.name)} submitLabel={messages.submit} form={form} onClose={onClose}>
      <SelectField {...form.choice('hours', messages)} options={messages.periods} />
      <TextField {...form.text('reason', messages)} required />
    </FormDialog>
  );
}
