import { useRef, useState } from 'react';
import { type Failure, failureFields, failureOf, isAbort } from '../../lib/failure';

/** One sentence per field, by its name; `form`: for the alert of the form. */
export type FieldErrors = Record<string, string>;

interface SubmitOptions {
  /** Errors that are found without the server; empty: send. */
  check?: () => FieldErrors;
  /** The call. When it throws, the values stay. */
  send: () => Promise<unknown>;
  /** Product §8's sentence for a failure without one of its own. */
  fallback: string;
  prefer?: 'error' | 'details';
  /** Where product §8 wants a notification of a failed send. */
  onFailure?: (failure: Failure) => void;
  /** Where it wants one of what `check` found, too. */
  onRefused?: (errors: FieldErrors) => void;
}

/**
 * Sends a form or a confirmed action once, however often it is pressed.
 * `errors` goes to the fields, `failure` (or null) to the alert of the form.
 */
export function useSubmit({ check, send, fallback, prefer, onFailure, onRefused }: SubmitOptions) {
  const isRunning = useRef(false);
  const [pending, setPending] = useState(false);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [failure, setFailure] = useState<Failure | null>(null);

  async function submit(): Promise<void> {
    if (isRunning.current) return;
    const found = check?.() ?? {};
    setErrors(found);
    setFailure(found.form === undefined ? null : { sentence: found.form });
    if (Object.keys(found).length > 0) {
      onRefused?.(found);
      return;
    }
    isRunning.current = true;
    setPending(true);
    try {
      await send();
    } catch (error) {
      if (isAbort(error)) return;
      const failed = failureOf(error, fallback, prefer);
      setErrors(failureFields(error));
      setFailure(failed);
      onFailure?.(failed);
    } finally {
      isRunning.current = false;
      setPending(false);
    }
  }

  /** Removes the errors of these fields. */
  const clearErrors = (fields: readonly string[]) =>
    setErrors((before) => {
      const left = Object.entries(before).filter(([field]) => !fields.includes(field));
      return left.length === Object.keys(before).length ? before : Object.fromEntries(left);
    });

  return { submit, pending, errors, failure, clearErrors };
}
