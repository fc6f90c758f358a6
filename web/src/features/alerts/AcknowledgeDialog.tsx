import { object, string } from 'valibot';
import { FormDialog } from '../../ui/dialog/FormDialog';
import { TextareaField } from '../../ui/form/fields/textFields';
import { useAppForm } from '../../ui/form/state/useAppForm';
import { alertsMessages } from './alerts.messages';
import { type AlertRowFragment, useAcknowledgeAlertMutation } from './generated/alerts';

const { acknowledge: messages } = alertsMessages;
const schema = object({ note: string() });

/** Acknowledges an alert, with an optional note. */
export function AcknowledgeDialog({ alert, onClose }: { alert: AlertRowFragment; onClose: () => void }) {
  const [acknowledge] = useAcknowledgeAlertMutation();
  const form = useAppForm({
    draft: `alerts:${alert._id}`,
    initial: { note: '' },
    schema,
    failureMessage: messages.failure,
    send: ({ note }) => acknowledge({ variables: { id: alert._id, note: note.trim() || null } }),
    onSaved: onClose,
    success: messages.success,
  });
  return (
    <FormDialog
      title={messages.title(alert.subject.name)}
      description={messages.text}
      submitLabel={messages.submit}
      form={form}
      onClose={onClose}
    >
      <TextareaField {...form.text('note', messages)} rows={3} optional />
    </FormDialog>
  );
}
