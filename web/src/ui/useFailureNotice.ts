import { useEffect, useRef } from 'react';
import { failureText, isAbort } from './failure';
import { notify } from './notification';

/** Shows a failed load as a notification, for the screens where the spec wants so: once, until a load succeeds. */
export function useFailureNotice({ error, loading }: { error?: unknown; loading: boolean }, fallback: string): void {
  const told = useRef(false);
  useEffect(() => {
    if (error && !told.current && !isAbort(error)) {
      told.current = true;
      notify(failureText(error, fallback), { color: 'error' });
    }
    if (!error && !loading) told.current = false;
  }, [error, loading, fallback]);
}
