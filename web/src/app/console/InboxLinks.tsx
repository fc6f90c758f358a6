import { chakra } from '@chakra-ui/react';
import { Bell, Inbox } from 'lucide-react';
import type { ComponentProps } from 'react';
import { Link } from 'react-router';
import { messagesPath, paths } from '../../lib/routing/paths';
import { useAccess } from '../../lib/session/access';
import { appMessages } from '../app.messages';
import { useSessionCounts } from './useSessionCounts';

const IconLink = chakra(Link, {
  base: {
    position: 'relative',
    display: 'grid',
    flex: 'none',
    placeItems: 'center',
    boxSize: '44px',
    // Without the negative margin, the icons do not fit into a window of 360 px.
    mx: '-1',
    borderRadius: 'sm',
    _hover: { bg: 'bg.subtle' },
  },
});

interface CountLinkProps extends ComponentProps<typeof IconLink> {
  label: string;
  count: number;
}

function CountLink({ label, count, children, ...rest }: CountLinkProps) {
  return (
    <IconLink aria-label={label} title={label} {...rest}>
      {children}
      {count > 0 && (
        <chakra.span
          position="absolute"
          top="4px"
          right="2px"
          minW="18px"
          px="1"
          borderRadius="full"
          bg="colorPalette.solid"
          color="colorPalette.contrast"
          fontSize="11px"
          fontWeight="700"
          lineHeight="18px"
          textAlign="center"
          aria-hidden
        >
          {count > 99 ? '99+' : count}
        </chakra.span>
      )}
    </IconLink>
  );
}

/** Links of the top bar to the alerts and the messages, with their counts. */
export default function InboxLinks() {
  const { openAlerts, unhandledMessages } = useSessionCounts();
  const { canWrite, isLimited } = useAccess();
  return (
    <>
      {canWrite && !isLimited && (
        <CountLink
          to={messagesPath}
          label={appMessages.account.messages(unhandledMessages)}
          count={unhandledMessages}
          // The account's menu contains this link, too.
          hideBelow="xl"
        >
          <Inbox aria-hidden size={20} />
        </CountLink>
      )}
      {!isLimited && (
        <CountLink to={paths.alerts} label={appMessages.alerts(openAlerts)} count={openAlerts} colorPalette="danger">
          <Bell aria-hidden size={20} />
        </CountLink>
      )}
    </>
  );
}
