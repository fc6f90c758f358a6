import { useCallback } from 'react';
import type { FieldValues, Path, PathValue, UseFormReturn } from 'react-hook-form';
import type { Catalogue, FieldErrors, FieldTexts, FormChanges, FormFields } from '../formFields';

const getTexts = <Name extends string>(texts: Catalogue<Name>, name: Name): FieldTexts => ({
  label: texts[name],
  hint: texts[`${name as string}Hint`],
  placeholder: texts[`${name as string}Placeholder`],
});

/** A field's name as a path of react-hook-form. Names are paths, because values are flat (decision 122). */
export const toPath = <Values extends FieldValues>(name: string) => name as Path<Values>;

/** The fields of a form. A change removes the error of its field. @param onChange called at each change; stable */
export function useFormFields<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  onChange: () => void,
): FormFields<Values> {
  const { clearErrors, getFieldState, getValues, setValue } = form;
  const { errors: formErrors } = form.formState;
  const errors: FieldErrors = Object.fromEntries(
    Object.entries(formErrors).map(([name, error]) => [name, String(error?.message ?? '')]),
  );
  const onFieldChange = useCallback(
    (name: string) => {
      onChange();
      // A valid field is skipped, because `clearErrors` always renders the form.
      if (getFieldState(toPath<Values>(name)).invalid) clearErrors(toPath<Values>(name));
    },
    [onChange, clearErrors, getFieldState],
  );
  const set = useCallback(
    (name: string, value: unknown) => {
      onFieldChange(name);
      setValue(toPath<Values>(name), value as PathValue<Values, Path<Values>>);
    },
    [onFieldChange, setValue],
  );
  const change = useCallback(
    (changes: FormChanges<Values>) => {
      const changedValues = typeof changes === 'function' ? changes(getValues()) : changes;
      for (const [name, value] of Object.entries(changedValues)) set(name, value);
    },
    [set, getValues],
  );
  const control = <Name extends keyof Values & string>(name: Name) => ({
    value: form.watch(toPath<Values>(name)),
    onChange: (value: Values[Name]) => set(name, value),
    error: errors[name],
  });
  return {
    watch: form.watch,
    errors,
    change,
    setErrors: (messages) => {
      for (const [name, message] of Object.entries(messages)) form.setError(toPath<Values>(name), { message });
    },
    text: (name, texts) => ({
      ...form.register(toPath<Values>(name), { onChange: () => onFieldChange(name) }),
      error: errors[name],
      ...getTexts(texts, name),
    }),
    choice: (name, texts) => ({ ...control(name), ...getTexts(texts, name) }),
    check: (name, texts) => ({
      label: texts[name],
      checked: Boolean(form.watch(toPath<Values>(name))),
      onChange: (checked) => set(name, checked),
    }),
    control,
  };
}
