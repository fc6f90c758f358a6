import { useSyncExternalStore } from 'react';
import { appMessages } from './app.messages';
import styles from './Shell.module.css';

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

/** Shown while the browser is offline. */
export function OfflineBanner() {
  const offline = useSyncExternalStore(
    subscribe,
    () => !navigator.onLine,
    () => false,
  );
  return <div role="status">{offline && <p className={styles.offline}>{appMessages.offline}</p>}</div>;
}
