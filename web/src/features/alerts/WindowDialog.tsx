import { notify } from '../../lib/notification';
import { FormDialog } from '../../ui/dialog/FormDialog';
import { CheckField, CheckGroup, toggleItem } from '../../ui/form/checkFields';
import { CODE_INPUT, TextField } from '../../ui/form/textFields';
import { useDraftForm } from '../../ui/form/useDraftForm';
import { alertsMessages } from './alerts.messages';
import { MaintenanceWindowsDocument, useCreateMaintenanceWindowMutation } from './generated/alerts';
import { TenantChecks } from './TenantChecks';
import { emptyWindow, windowInput, windowSchema } from './windowForm';

const { maintenance } = alertsMessages;
const messages = maintenance.dialog;

/** Plans a maintenance window. */
export function WindowDialog({ onClose }: { onClose: () => void }) {
  const [create] = useCreateMaintenanceWindowMutation({ refetchQueries: [MaintenanceWindowsDocument] });
  const form = useDraftForm({
    draft: 'maintenance:novo',
    initial: emptyWindow,
    schema: windowSchema,
    fallback: maintenance.failure.save,
    send: (values) => create({ variables: { input: windowInput(values) } }),
    onSaved: () => {
      onClose();
      notify(maintenance.created);
    },
  });
  const { values, change } = form;
  return (
    <FormDialog title={messages.title} width={600} submitLabel={messages.save} form={form} onClose={onClose}>
      <TextField label={messages.name} {...form.text('title')} maxLength={100} required />
      <TextField
        label={messages.subdomains}
        {...form.text('subdomains')}
        {...CODE_INPUT}
        hint={messages.subdomainsHint}
      />
      <TenantChecks chosen={values.tenants} onChange={(tenants) => change({ tenants })} />
      <TextField label={messages.startsAt} {...form.text('startsAt')} type="datetime-local" required />
      <TextField label={messages.endsAt} {...form.text('endsAt')} type="datetime-local" required />
      <CheckGroup label={messages.weekdays}>
        {maintenance.weekdays.map((name, weekday) => (
          <CheckField
            key={name}
            label={name}
            checked={values.weekdays.includes(weekday)}
            onChange={(on) => change({ weekdays: toggleItem(values.weekdays, weekday, on).sort() })}
          />
        ))}
      </CheckGroup>
    </FormDialog>
  );
}
