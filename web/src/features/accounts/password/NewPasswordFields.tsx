import { TextField } from '../../../ui/form/fields/textFields';
import type { FormFields } from '../../../ui/form/formFields';
import { passwordMessages as messages } from '../setup.messages';

interface NewPasswordFieldsProps {
  form: Pick<FormFields<{ newPassword: string; again: string }>, 'text'>;
}

/** A new password, typed twice. */
export function NewPasswordFields({ form }: NewPasswordFieldsProps) {
  const password = { type: 'password', autoComplete: 'new-password', required: true } as const;
  return (
    <>
      <TextField {...form.text('newPassword', messages)} {...password} />
      <TextField {...form.text('again', messages)} {...password} />
    </>
  );
}
