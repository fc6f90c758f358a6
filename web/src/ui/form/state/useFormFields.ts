import { useCallback } from 'react';
import { type FieldValues, type Path, type PathValue, type UseFormReturn, useWatch } from 'react-hook-form';
import type { FieldErrors, FormChanges, FormFields } from '../formFields';

/** Label, hint and placeholder of a field, from a catalogue. */
const getTexts = (texts: Readonly<Record<string, string>>, name: string) => ({
  label: texts[name] ?? '',
  hint: texts[`${name}Hint`],
  placeholder: texts[`${name}Placeholder`],
});

/** The fields of a form. A change removes the error of its field. @param onChange called at each change; stable */
export function useFormFields<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  onChange: () => void,
): FormFields<Values> {
  const { clearErrors, getValues, setValue } = form;
  // `compute` gives the values their full type.
  const values = useWatch({ control: form.control, compute: (watched: Values) => watched });
  const { errors: formErrors } = form.formState;
  const errors: FieldErrors = Object.fromEntries(
    Object.entries(formErrors).map(([name, error]) => [name, String(error?.message ?? '')]),
  );
  const clearError = useCallback(
    (name: string) => {
      onChange();
      clearErrors(name as Path<Values>);
    },
    [onChange, clearErrors],
  );
  const change = useCallback(
    (changes: FormChanges<Values>) => {
      const changedValues = typeof changes === 'function' ? changes(getValues()) : changes;
      for (const [name, value] of Object.entries(changedValues)) {
        clearError(name);
        setValue(name as Path<Values>, value as PathValue<Values, Path<Values>>, { shouldDirty: true });
      }
    },
    [clearError, getValues, setValue],
  );
  const set = (name: string, value: unknown) => change({ [name]: value } as Partial<Values>);
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
