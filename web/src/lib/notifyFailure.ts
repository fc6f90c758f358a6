import { notifyError } from './notification';
import { isAbort, toUserError } from './userError';

/** Handles the failure of a call: shows it as the global notification, unless the call was aborted. */
export const notifyFailure =
  (...[fallback, prefer]: [fallback: string, prefer?: 'error' | 'details']) =>
  (error: unknown): void => {
    if (!isAbort(error)) notifyError(toUserError(error, fallback, prefer));
  };
