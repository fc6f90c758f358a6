import { CheckField } from '../../ui/form/fields/checkFields';
import { RadioField } from '../../ui/form/fields/RadioField';
import { CODE_INPUT, TextareaField, TextField } from '../../ui/form/fields/textFields';
import type { FormFields } from '../../ui/form/formFields';
import { hostPoliciesMessages } from './host-policies.messages';
import type { PolicyValues } from './policyForm';

const { access: messages } = hostPoliciesMessages;

/** The fields of the access rule. */
export function AccessFields({ form }: { form: FormFields<PolicyValues> }) {
  const hasPassword = form.watch('hasPassword');
  return (
    <>
      <TextField
        {...form.text('password', messages)}
        type="password"
        autoComplete="new-password"
        hint={hasPassword ? messages.passwordKept : messages.passwordNew}
        disabled={form.watch('removesPassword')}
        optional
      />
      {hasPassword && <CheckField {...form.check('removesPassword', messages)} />}
      <TextareaField {...form.text('accessIps', messages)} {...CODE_INPUT} rows={3} optional />
      <RadioField
        {...form.choice('accessRequire', messages)}
        options={(['all', 'any'] as const).map((value) => ({ value, label: messages.requires[value] }))}
      />
    </>
  );
}
