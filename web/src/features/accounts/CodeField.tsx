import type { ComponentProps } from 'react';
import type { FormFields } from '../../ui/form/formFields';
import { CODE_INPUT, TextField } from '../../ui/form/textFields';

interface CodeFieldProps extends Omit<ComponentProps<typeof TextField>, 'form'> {
  form: Pick<FormFields<{ code: string }>, 'text'>;
}

/** The code of the authenticator app. */
export const CodeField = ({ form, ...field }: CodeFieldProps) => (
  <TextField {...field} {...form.text('code')} {...CODE_INPUT} autoComplete="one-time-code" required />
);
