import { useEffect, useEffectEvent, useRef } from 'react';

/** Minimum time between two refreshes. */
const PAUSE_MS = 5_000;

/** Refetches when the page becomes visible again, or the browser is online again. */
export function useRefreshOnReturn(refresh: () => unknown): void {
  const refreshedAt = useRef(0);
  const onReturn = useEffectEvent((isOnlineAgain: boolean) => {
    if (document.visibilityState !== 'visible' || !navigator.onLine) return;
    const now = performance.now();
    if (!isOnlineAgain && now - refreshedAt.current < PAUSE_MS) return;
    refreshedAt.current = now;
    void refresh();
  });
  useEffect(() => {
    // The data has just been loaded.
    refreshedAt.current = performance.now();
    const focus = () => onReturn(false);
    const online = () => onReturn(true);
    document.addEventListener('visibilitychange', focus);
    window.addEventListener('focus', focus);
    window.addEventListener('online', online);
    return () => {
      document.removeEventListener('visibilitychange', focus);
      window.removeEventListener('focus', focus);
      window.removeEventListener('online', online);
    };
  }, []);
}
