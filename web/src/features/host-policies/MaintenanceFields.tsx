import { CODE_INPUT, TextareaField, TextField } from '../../ui/form/fields/textFields';
import type { FormFields } from '../../ui/form/formFields';
import { hostPoliciesMessages } from './host-policies.messages';
import type { PolicyValues } from './policyForm';

const { maintenance: messages } = hostPoliciesMessages;

/** Text and end of the maintenance, and the addresses that still reach the site. */
export function MaintenanceFields({ form }: { form: FormFields<PolicyValues> }) {
  return (
    <>
      <TextareaField {...form.text('maintenanceText', messages)} rows={2} required />
      <TextField {...form.text('maintenanceUntil', messages)} type="datetime-local" optional />
      <TextareaField {...form.text('maintenanceBypassIps', messages)} {...CODE_INPUT} rows={2} optional />
    </>
  );
}
