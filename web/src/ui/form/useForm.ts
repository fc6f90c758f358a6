import { useEffect, useEffectEvent } from 'react';
import type { Failure } from '../../lib/failure';
import type { TrackedForm } from '../../lib/unsavedForms';
import { type Edited, useConflict } from './useConflict';
import { useDraft } from './useDraft';
import { type FieldErrors, useSubmit } from './useSubmit';

interface FormOptions<Values, Result> {
  /** Name of the draft in sessionStorage, e.g. `tenants:novo`; null stores nothing, for secrets. */
  draft: string | null;
  /** The saved values; read once. */
  initial: Values;
  /** What loses changes and therefore asks first. `dialog` (default): any navigation; `page`: only another path. */
  scope?: TrackedForm['scope'];
  /** Errors that are found without the server (`form`: for the form's alert). */
  check?: (values: Values) => FieldErrors;
  /** Optimistic locking, for an entity that others may edit. */
  edited?: Edited<Values, Result>;
  /** The call. `version` is that of `edited`. When it throws, the values stay. */
  send: (values: Values, version: number | undefined) => Promise<Result>;
  /** Called after `send`, when the form is clean: close the dialog, notify. */
  onSaved?: (result: Result) => void;
  /** For a form that stays on the screen: starts again with `initial`. */
  resetsWhenSaved?: boolean;
  /** Product §8's sentence for a failure without one of its own. */
  fallback: string;
  /** `details` where product §8 reads them first (subdomain creation, tenant domain). */
  prefer?: 'error' | 'details';
  /** Where product §8 wants a failed send as a notification, too. */
  onFailure?: (failure: Failure) => void;
  /** Where it wants one of what `check` found, too. */
  onRefused?: (errors: FieldErrors) => void;
}

/** Names of the text fields. */
type TextName<Values> = {
  [Name in keyof Values]: Values[Name] extends string ? (string extends Values[Name] ? Name : never) : never;
}[keyof Values] &
  string;

/** What fields need of a form; for components with fields that several forms share. */
export interface FormFields<Values> {
  values: Values;
  /** One sentence per refused field, removed as soon as the field changes. */
  errors: FieldErrors;
  /** Changes some fields. */
  change: (changes: Partial<Values>) => void;
  /** Props of a `TextField`, `TextareaField` or `SelectField`. */
  text: (name: TextName<Values>) => { value: string; error: string | undefined; onChange: (value: string) => void };
}

/**
 * A form: its draft (`useDraft`), one send at a time with errors at the fields (`useSubmit`), and optimistic locking
 * (`useConflict`). Pass it to `FormDialog`, or its `submit`, `errors`, `failure`, `restored` and `conflict` to `Form`.
 */
export function useForm<Values extends object, Result>({
  draft,
  initial,
  scope = 'dialog',
  check,
  edited,
  send,
  onSaved,
  resetsWhenSaved = false,
  ...failing
}: FormOptions<Values, Result>) {
  const { values, saved, change: changeValues, markSaved, rebase, restored } = useDraft(draft, initial, scope);
  const { guard, conflict, resends } = useConflict({ edited, values, saved, rebase });
  const { clearErrors, ...sending } = useSubmit({
    ...failing,
    check: check && (() => check(values)),
    send: async () => {
      const result = await guard((version) => send(values, version));
      markSaved(resetsWhenSaved ? initial : undefined);
      onSaved?.(result);
    },
  });
  const sendAgain = useEffectEvent(() => void sending.submit());
  useEffect(() => {
    if (resends > 0) sendAgain();
  }, [resends]);
  const change = (changes: Partial<Values>) => {
    changeValues(changes);
    clearErrors(Object.keys(changes));
  };
  const text: FormFields<Values>['text'] = (name) => ({
    value: String(values[name]),
    error: sending.errors[name],
    onChange: (value) => change({ [name]: value } as Partial<Values>),
  });
  return { ...sending, clearErrors, values, change, text, restored, conflict };
}
