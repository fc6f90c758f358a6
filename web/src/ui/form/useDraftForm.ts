import { valibotResolver } from '@hookform/resolvers/valibot';
import { useMemo, useRef, useState } from 'react';
import {
  type DefaultValues,
  type FieldValues,
  type Path,
  type PathValue,
  type UseFormReturn,
  useForm,
} from 'react-hook-form';
import type { GenericSchema } from 'valibot';
import type { TrackedForm } from '../../lib/forms/unsavedForms';
import { errorFields, isAbort, toUserError, type UserError } from '../../lib/graphql/userError';
import { notify } from '../../lib/notifications/notification';
import type { EditedEntity, Versioned } from './conflict';
import type { FieldErrors, FormFields } from './formFields';
import { useLocking } from './useLocking';
import { useStoredDraft } from './useStoredDraft';

export interface DraftFormOptions<Values extends FieldValues, Row extends Versioned, Result> {
  /** The schema of all fields, with the messages of the feature's catalogue. */
  schema: GenericSchema<Values>;
  /** Name of the draft in sessionStorage, e.g. `tenants:novo`; null stores nothing, for secrets. */
  draft: string | null;
  /**
   * The saved values, read once. Without them the fields keep the text that was typed before React took over the page.
   */
  initial?: Values;
  /**
   * Which navigation loses changes and therefore asks first: any (`dialog`, the default), one to another path (`page`),
   * or none (null).
   */
  scope?: TrackedForm['scope'] | null;
  /** The entity that others may edit too. Enables optimistic locking. */
  edited?: EditedEntity<Values, Row, Result>;
  /** Sends the values. `version` is the version of the row in `edited`. If it throws, the form keeps its values. */
  send: (values: Values, version: number | undefined) => Promise<Result>;
  /** Called after `send`, when the form is clean, for example to close the dialog. */
  onSaved?: (result: Result) => void;
  /** Text of the notification after a save. */
  success?: string;
  /** Whether a form that stays on the screen starts again with `initial` after a save. */
  resetsWhenSaved?: boolean;
  /** Message of product §8 for a failure without a message of the server. */
  fallback: string;
  /** The text of the server's answer that is shown. Product §8 names the forms that show `details`. */
  prefer?: 'error' | 'details';
  /** Called with a failure that product §8 also shows as a notification. */
  onFailure?: (error: UserError) => void;
  /**
   * Called when the schema refuses the values. Returns the message of the form's alert; null shows only the messages at
   * the fields.
   */
  onRefused?: (values: Values) => string | null;
}

/**
 * Returns the field of a property that the server refused. Values are flat (decision 304): `s3.endpoint` is `endpoint`.
 */
const toFieldName = (property: string): string => property.slice(property.lastIndexOf('.') + 1);

/** Label, hint and placeholder of a field, from a catalogue. */
const textsOf = (texts: Readonly<Record<string, string>>, name: string) => ({
  label: texts[name] ?? '',
  hint: texts[`${name}Hint`],
  placeholder: texts[`${name}Placeholder`],
});

/** The fields of a form. A change removes the error of its field. @param onChange called with any change */
function useFormFields<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  onChange: () => void,
): FormFields<Values> {
  const values = form.watch();
  const { errors: formErrors } = form.formState;
  const errors = useMemo(
    (): FieldErrors =>
      Object.fromEntries(Object.entries(formErrors).map(([name, error]) => [name, String(error?.message ?? '')])),
    [formErrors],
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
  const custom = <Name extends keyof Values & string>(name: Name) => ({
    value: values[name],
    onChange: (value: Values[Name]) => set(name, value),
    error: errors[name],
  });
  return {
    values,
    errors,
    change,
    refuse: (messages) => {
      for (const [name, message] of Object.entries(messages)) form.setError(name as Path<Values>, { message });
    },
    text: (name: string, texts) => ({
      ...form.register(name as Path<Values>, { onChange: () => clearError(name) }),
      error: errors[name],
      ...textsOf(texts, name),
    }),
    choice: (name, texts) => ({ ...custom(name), ...textsOf(texts, name) }),
    check: (name, texts) => ({
      label: texts[name],
      checked: Boolean(values[name]),
      onChange: (checked) => set(name, checked),
    }),
    custom,
  };
}

/**
 * react-hook-form with a valibot schema, and with three additions (decision 304): a draft that survives the end of a
 * session, optimistic locking with a merge by field, and one send at a time. An error is removed as soon as its field
 * changes. `failure` is an error that belongs to no field; any change removes it.
 */
export function useDraftForm<Values extends FieldValues, Result, Row extends Versioned = Versioned>({
  schema,
  draft,
  initial,
  scope = 'dialog',
  edited,
  send,
  onSaved,
  success,
  resetsWhenSaved = false,
  ...failureOptions
}: DraftFormOptions<Values, Row, Result>) {
  const form = useForm<Values>({
    defaultValues: initial as DefaultValues<Values> | undefined,
    resolver: valibotResolver(schema, undefined, { raw: true }),
    reValidateMode: 'onSubmit',
    // Without `all`, checks that compare fields would not run while a single field is invalid.
    criteriaMode: 'all',
    shouldFocusError: false,
  });
  const isSending = useRef(false);
  const [failure, setFailure] = useState<UserError | null>(null);
  const fields = useFormFields(form, () => setFailure(null));
  const { values, change } = fields;
  const { saved, reset, restored } = useStoredDraft({ form, draft, initial, scope, change });
  const { sendLocked, conflict } = useLocking({
    edited,
    send,
    saved,
    values,
    reset,
    change,
    submit: () => void submit(),
  });

  async function onValid(values: Values): Promise<void> {
    try {
      const result = await sendLocked(values);
      reset(resetsWhenSaved && initial ? initial : values);
      onSaved?.(result);
      if (success !== undefined) notify(success);
    } catch (error) {
      if (isAbort(error)) return;
      const refusedFields = Object.entries(errorFields(error)).map(([name, message]) => [toFieldName(name), message]);
      for (const [name, message] of refusedFields) form.setError(name as Path<Values>, { message });
      const { note, record } = toUserError(error, failureOptions.fallback);
      const isAtField = refusedFields.some(([name = '']) => name in values);
      // An alert or a notification would only repeat the message at the field.
      if (isAtField && note === undefined && !record) return;
      const userError = toUserError(error, failureOptions.fallback, failureOptions.prefer);
      setFailure(userError);
      failureOptions.onFailure?.(userError);
    }
  }
  async function submit(): Promise<void> {
    if (isSending.current) return;
    isSending.current = true;
    setFailure(null);
    const onInvalid = () => {
      const message = failureOptions.onRefused?.(form.getValues()) ?? null;
      if (message !== null) setFailure({ message });
    };
    try {
      await form.handleSubmit(onValid, onInvalid)();
    } finally {
      isSending.current = false;
    }
  }

  const { isSubmitting, submitCount } = form.formState;
  return { ...fields, submit: () => void submit(), pending: isSubmitting, submitCount, failure, conflict, restored };
}
