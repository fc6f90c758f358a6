import { useRef, useState } from 'react';
import { notify, notifyError, type OutcomeTexts } from '../../lib/notifications/notification';
import { isAbort, toUserError, type UserError } from '../../lib/userError';

interface ActionOptions extends OutcomeTexts {
  send: () => Promise<unknown>;
}

/**
 * Runs an action outside of a form. A press of the button while the action runs does nothing. A failure becomes a
 * notification by default. `failure` is the failure of the last run, or null.
 */
export function useAction({ send, success, failureMessage, messageFrom, isFailureNotified = true }: ActionOptions) {
  const isRunning = useRef(false);
  const [isPending, setPending] = useState(false);
  const [failure, setFailure] = useState<UserError | null>(null);

  async function run(): Promise<void> {
    if (isRunning.current) return;
    isRunning.current = true;
    setFailure(null);
    setPending(true);
    try {
      await send();
      if (success !== undefined) notify(success);
    } catch (error) {
      if (isAbort(error)) return;
      const userError = toUserError(error, failureMessage, messageFrom);
      setFailure(userError);
      if (isFailureNotified) notifyError(userError);
    } finally {
      isRunning.current = false;
      setPending(false);
    }
  }
  return { run, isPending, failure };
}
