import { Alert, Button, chakra } from '@chakra-ui/react';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { useEffect, useState } from 'react';
import { hideNotification, type Notification, useNotification } from '../../lib/notifications/notification';
import { watchSession } from '../../lib/session/session';
import { slideIn } from '../layout/slideIn';
import { uiMessages } from '../ui.messages';

/** Over a drawer the region is beside the close button. Over a dialog it covers the top bar, which is unusable then. */
const regionCss = {
  'body:has(> * > [data-layout=side]) &': { top: { base: '4px', md: '10px' }, insetEnd: '56px' },
  'body:has(> * > [data-layout=center]) &': { top: { base: '8px', md: '16px' } },
};
const BUTTON_HEIGHT = { h: { base: '40px', md: '32px' }, minH: '0' };
const ICONS = { success: CircleCheck, error: CircleAlert, neutral: CircleAlert };

const slideDown = (card: HTMLElement | null) => slideIn(card, { y: -8 });

/** One notification. It closes after its time, but not while the pointer or the focus is on it. */
function Card({ notification }: { notification: Notification }) {
  const [isInUse, setInUse] = useState(false);
  useEffect(() => {
    if (isInUse) return;
    const timer = setTimeout(hideNotification, notification.timeoutMs);
    return () => clearTimeout(timer);
  }, [isInUse, notification]);
  const Icon = ICONS[notification.color];
  const { action } = notification;
  return (
    <Alert.Root
      ref={slideDown}
      variant="surface"
      data-color={notification.color}
      onMouseEnter={() => setInUse(true)}
      onMouseLeave={() => setInUse(false)}
      onFocus={() => setInUse(true)}
      onBlur={() => setInUse(false)}
    >
      <Alert.Indicator>
        <Icon aria-hidden />
      </Alert.Indicator>
      <Alert.Content>
        <Alert.Title>{notification.text}</Alert.Title>
        {notification.note && <Alert.Description>{notification.note}</Alert.Description>}
      </Alert.Content>
      {action && (
        <Button
          variant="ghost"
          size="sm"
          {...BUTTON_HEIGHT}
          onClick={() => {
            hideNotification();
            action.run();
          }}
        >
          {action.label}
        </Button>
      )}
      <Button variant="ghost" size="sm" {...BUTTON_HEIGHT} color="fg" fontWeight="semibold" onClick={hideNotification}>
        {uiMessages.close}
      </Button>
    </Alert.Root>
  );
}

/**
 * The region of the global notification, at the top right (docs/decisions/133). Its two live regions, `status` and
 * `alert`, exist before their first message, because screen readers miss the first message of a new live region.
 * `data-live-announcer` keeps an open dialog from hiding them.
 */
export function NotificationRegion() {
  const notification = useNotification();
  // The next account must not read a notification of the previous account.
  useEffect(() => watchSession(hideNotification), []);
  const isError = notification?.color === 'error';
  const card = notification && <Card key={notification.id} notification={notification} />;
  return (
    <chakra.section
      position="fixed"
      top="60px"
      insetX="16px"
      zIndex="2000"
      display="grid"
      gridTemplateColumns="minmax(0, 1fr)"
      justifyItems="end"
      pointerEvents="none"
      css={regionCss}
      aria-label={uiMessages.notifications}
      data-live-announcer
    >
      <div role="status">{!isError && card}</div>
      <div role="alert">{isError && card}</div>
    </chakra.section>
  );
}
