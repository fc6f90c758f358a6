import { FormDialog } from '../../../ui/dialog/FormDialog';
import { CheckList } from '../../../ui/form/fields/checkFields';
import { CODE_INPUT, TextField } from '../../../ui/form/fields/textFields';
import { useAppForm } from '../../../ui/form/state/useAppForm';
import { alertsMessages } from '../alerts.messages';
import { MaintenanceWindowsDocument, useCreateMaintenanceWindowMutation } from '../generated/alerts';
import { TenantPicker } from '../TenantPicker';
import { emptyWindow, toWindowInput, windowSchema } from './windowForm';

const { maintenance } = alertsMessages;
const messages = maintenance.dialog;
const WEEKDAYS = maintenance.weekdays.map((label, value) => ({ value, label }));

export function WindowDialog({ onClose }: { onClose: () => void }) {
  const [create] = useCreateMaintenanceWindowMutation({ refetchQueries: [MaintenanceWindowsDocument] });
  const form = useAppForm({
    draft: 'maintenance:novo',
    initial: emptyWindow,
    schema: windowSchema,
    failureMessage: maintenance.failure.save,
    send: (values) => create({ variables: { input: toWindowInput(values) } }),
    onSaved: onClose,
    success: maintenance.success.created,
  });
  return (
    <FormDialog title={messages.title} width={600} form={form} onClose={onClose}>
      <TextField {...form.text('title', { title: messages.name })} required />
      <TextField {...form.text('subdomains', messages)} {...CODE_INPUT} />
      <TenantPicker {...form.control('tenants')} />
      <TextField {...form.text('startsAt', messages)} type="datetime-local" required />
      <TextField {...form.text('endsAt', messages)} type="datetime-local" required />
      <CheckList {...form.choice('weekdays', messages)} options={WEEKDAYS} isInline />
    </FormDialog>
  );
}
