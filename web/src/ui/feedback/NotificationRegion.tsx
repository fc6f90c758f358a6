import { CircleAlert, CircleCheck } from 'lucide-react';
import { useEffect, useState } from 'react';
import { hideNotification, type Notification, useNotification } from '../../lib/notification';
import { uiMessages } from '../ui.messages';
import styles from './NotificationRegion.module.css';

const ICONS = { success: CircleCheck, error: CircleAlert };

/** One notification: leaves after its time, but not while the pointer or the focus rests on it. */
function Card({ notification }: { notification: Notification }) {
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(hideNotification, notification.timeoutMs);
    return () => clearTimeout(timer);
  }, [held, notification]);
  const Icon = ICONS[notification.color];
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hover and focus only hold the clock
    <div
      className={styles.card}
      data-color={notification.color}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon aria-hidden size={20} />
      <div>
        <p>{notification.text}</p>
        {notification.note && <small>{notification.note}</small>}
      </div>
      <button type="button" onClick={hideNotification}>
        {uiMessages.close}
      </button>
    </div>
  );
}

/**
 * Where the global notification appears: top right. Both live regions exist before they speak, else readers miss the first.
 * `data-live-announcer` keeps an open dialog from hiding the region from them.
 */
export function NotificationRegion() {
  const notification = useNotification();
  const isError = notification?.color === 'error';
  const card = notification && <Card key={notification.id} notification={notification} />;
  return (
    <section className={styles.region} aria-label={uiMessages.notifications} data-live-announcer>
      <div role="status">{!isError && card}</div>
      <div role="alert">{isError && card}</div>
    </section>
  );
}
