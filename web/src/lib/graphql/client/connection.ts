import { createStore } from '../../store';
import { isAbort } from '../../userError';

/** A path that the server of the app always answers. */
const PROBE_PATH = '/healthz';

/**
 * Whether the browser is offline and a request has failed since then. `navigator.onLine` alone is not enough: without a
 * network, a server on the same machine still answers.
 */
export const isOffline = createStore(false);

/** `fetch` that records whether the server can be reached. */
export const fetchWithStatus: typeof fetch = async (...request) => {
  try {
    const response = await fetch(...request);
    isOffline.set(false);
    return response;
  } catch (error) {
    if (!isAbort(error)) isOffline.set(!navigator.onLine);
    throw error;
  }
};

/** If the browser reports that it is offline, a failed probe sets `isOffline`. @returns a function that unsubscribes */
export function watchConnection(): () => void {
  const probe = () => void fetchWithStatus(PROBE_PATH, { method: 'HEAD', cache: 'no-store' }).catch(() => undefined);
  const markOnline = () => isOffline.set(false);
  window.addEventListener('offline', probe);
  window.addEventListener('online', markOnline);
  return () => {
    window.removeEventListener('offline', probe);
    window.removeEventListener('online', markOnline);
  };
}
