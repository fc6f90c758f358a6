import { useCallback } from 'react';
import { type FieldValues, type Path, type PathValue, type UseFormReturn, useWatch } from 'react-hook-form';
import type { FieldErrors, FormChanges, FormFields } from '../formFields';

/** Label, hint and placeholder of a field, from a catalogue. */
const getTexts = (texts: Readonly<Record<string, string>>, name: string) => ({
  label: texts[name] ?? '',
  hint: texts[`${name}Hint`],
  placeholder: texts[`${name}Placeholder`],
});

/** A field's name as a path of react-hook-form. Names are paths, because values are flat (decision 122). */
export const toPath = <Values extends FieldValues>(name: string) => name as Path<Values>;

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
      clearErrors(toPath<Values>(name));
    },
    [onChange, clearErrors],
  );
  const set = useCallback(
    (name: string, value: unknown) => {
      clearError(name);
      setValue(toPath<Values>(name), value as PathValue<Values, Path<Values>>);
    },
    [clearError, setValue],
  );
  const change = useCallback(
    (changes: FormChanges<Values>) => {
      const changedValues = typeof changes === 'function' ? changes(getValues()) : changes;
      for (const [name, value] of Object.entries(changedValues)) set(name, value);
    },
    [set, getValues],
  );
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
      for (const [name, message] of Object.entries(messages)) form.setError(toPath<Values>(name), { message });
    },
    text: (name: string, texts) => ({
      ...form.register(toPath<Values>(name), { onChange: () => clearError(name) }),
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
