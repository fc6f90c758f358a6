import { useEffect } from 'react';
import { isOffline, watchConnection } from '../lib/graphql/client/connection';
import { useStore } from '../lib/store';
import { appMessages } from './app.messages';
import styles from './Shell.module.css';

/** Shown while the browser is offline and requests fail. */
export function OfflineBanner() {
  const offline = useStore(isOffline);
  useEffect(watchConnection, []);
  return <div role="status">{offline && <p className={styles.offline}>{appMessages.offline}</p>}</div>;
}
