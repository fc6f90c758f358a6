import { useRef, useState } from 'react';
import { isAbort, toUserError, type UserError } from '../../lib/userError';

interface SubmitOptions {
  /** The call. */
  send: () => Promise<unknown>;
  /** Product §8's message for a failure without one of its own. */
  fallback: string;
  prefer?: 'error' | 'details';
  /** For a failure that product §8 shows as a notification. */
  onFailure?: (error: UserError) => void;
}

/** Runs an action outside of a form once, however often its button is pressed. `failure` is for an alert beside it. */
export function useSubmit({ send, fallback, prefer, onFailure }: SubmitOptions) {
  const isRunning = useRef(false);
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<UserError | null>(null);

  async function submit(): Promise<void> {
    if (isRunning.current) return;
    isRunning.current = true;
    setFailure(null);
    setPending(true);
    try {
      await send();
    } catch (error) {
      if (isAbort(error)) return;
      const failed = toUserError(error, fallback, prefer);
      setFailure(failed);
      onFailure?.(failed);
    } finally {
      isRunning.current = false;
      setPending(false);
    }
  }
  return { submit, pending, failure };
}
