import type { FieldValues, Path, PathValue, UseFormReturn } from 'react-hook-form';
import type { FieldErrors, FormFields } from '../formFields';

/** Label, hint and placeholder of a field, from a catalogue. */
const getTexts = (texts: Readonly<Record<string, string>>, name: string) => ({
  label: texts[name] ?? '',
  hint: texts[`${name}Hint`],
  placeholder: texts[`${name}Placeholder`],
});

/** The fields of a form. A change removes the error of its field. @param onChange called at each change */
export function useFormFields<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  onChange: () => void,
): FormFields<Values> {
  const values = form.watch();
  const { errors: formErrors } = form.formState;
  const errors: FieldErrors = Object.fromEntries(
    Object.entries(formErrors).map(([name, error]) => [name, String(error?.message ?? '')]),
  );
  const clearError = (name: string) => {
    onChange();
    form.clearErrors(name as Path<Values>);
  };
  const set = (name: string, value: unknown) => {
    clearError(name);
    form.setValue(name as Path<Values>, value as PathValue<Values, Path<Values>>, { shouldDirty: true });
  };
  const change = (changes: Partial<Values>) => {
    for (const [name, value] of Object.entries(changes)) set(name, value);
  };
  const control = <Name extends keyof Values & string>(name: Name) => ({
    value: values[name],
    onChange: (value: Values[Name]) => set(name, value),
    error: errors[name],
  });
  return {
    values,
    errors,
    change,
    setErrors: (messages) => {
      for (const [name, message] of Object.entries(messages)) form.setError(name as Path<Values>, { message });
    },
    text: (name: string, texts) => ({
      ...form.register(name as Path<Values>, { onChange: () => clearError(name) }),
      error: errors[name],
      ...getTexts(texts, name),
    }),
    choice: (name, texts) => ({ ...control(name), ...getTexts(texts, name) }),
    check: (name, texts) => ({
      label: texts[name],
      checked: Boolean(values[name]),
      onChange: (checked) => set(name, checked),
    }),
    control,
  };
}
