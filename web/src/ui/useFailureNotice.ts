import { useEffect } from 'react';
import { failureText, isAbort } from './failure';
import { notify } from './notification';

/** Shows each failed load as a notification, for the screens where the spec wants so. */
export function useFailureNotice(error: unknown, fallback: string): void {
  useEffect(() => {
    if (error && !isAbort(error)) notify(failureText(error, fallback), { color: 'error' });
  }, [error, fallback]);
}
