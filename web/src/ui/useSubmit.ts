import { useRef, useState } from 'react';
import { failureFields, failureText, isAbort } from './failure';

export type FieldErrors = Record<string, string>;

interface SubmitOptions {
  /** One sentence per field that must be mended first (`form`: for the form's alert); empty or absent: go on. */
  check?: () => FieldErrors;
  /** The call. When it throws, what was typed stays. */
  send: () => Promise<unknown>;
  /** The spec's sentence for a failure without one of its own. */
  fallback: string;
  prefer?: 'error' | 'details';
  /** Where the spec wants a notification of a failed send. */
  onFailure?: (sentence: string) => void;
}

/**
 * Sends a form or a confirmed act once, however often it is pressed.
 * `errors` goes to the fields, `failure` (a sentence, or null) to the alert of the form.
 */
export function useSubmit({ check, send, fallback, prefer, onFailure }: SubmitOptions) {
  const running = useRef(false);
  const [pending, setPending] = useState(false);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [failure, setFailure] = useState<string | null>(null);

  async function submit(): Promise<void> {
    if (running.current) return;
    const found = check?.() ?? {};
    setErrors(found);
    setFailure(found.form ?? null);
    if (Object.keys(found).length > 0) return;
    running.current = true;
    setPending(true);
    try {
      await send();
    } catch (error) {
      if (isAbort(error)) return;
      const sentence = failureText(error, fallback, prefer);
      setErrors(failureFields(error));
      setFailure(sentence);
      onFailure?.(sentence);
    } finally {
      running.current = false;
      setPending(false);
    }
  }

  return { submit, pending, errors, failure };
}
