import type { ComponentProps } from 'react';
import { CODE_INPUT, TextField } from '../../../ui/form/fields/textFields';
import type { FormFields } from '../../../ui/form/formFields';

interface CodeFieldProps extends Omit<ComponentProps<typeof TextField>, 'form' | 'label'> {
  form: Pick<FormFields<{ code: string }>, 'text'>;
  texts: { code: string; codeHint: string };
}

/** A field for the code of the authenticator app. */
export const CodeField = ({ form, texts, ...field }: CodeFieldProps) => (
  <TextField {...form.text('code', texts)} {...field} {...CODE_INPUT} autoComplete="one-time-code" required />
);
