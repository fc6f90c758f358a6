import { Bell, Inbox } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useAccess } from '../../lib/session/access';
import { appMessages } from '../app.messages';
import { messagesPath, paths } from '../paths';
import styles from './SessionLinks.module.css';
import { useSessionCounts } from './useSessionCounts';

interface CountLinkProps {
  to: string;
  label: string;
  count: number;
  className?: string;
  children: ReactNode;
}

function CountLink({ to, label, count, className = '', children }: CountLinkProps) {
  return (
    <Link to={to} className={`${styles.link} ${className}`} aria-label={label} title={label}>
      {children}
      {count > 0 && <span aria-hidden>{count > 99 ? '99+' : count}</span>}
    </Link>
  );
}

/** Links of the top bar with the number of open alerts, and of unhandled messages. */
export default function SessionLinks() {
  const { alerts, messages } = useSessionCounts();
  const { canWrite, isLimited } = useAccess();
  return (
    <>
      {canWrite && !isLimited && (
        <CountLink
          to={messagesPath}
          label={appMessages.account.messages(messages)}
          count={messages}
          className={styles.wide}
        >
          <Inbox aria-hidden size={20} />
        </CountLink>
      )}
      {!isLimited && (
        <CountLink to={paths.alerts} label={appMessages.alerts(alerts)} count={alerts}>
          <Bell aria-hidden size={20} />
        </CountLink>
      )}
    </>
  );
}
