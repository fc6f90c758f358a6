import { LogOut, Menu, Moon, Sun } from 'lucide-react';
import { useRef } from 'react';
import { NavLink } from 'react-router';
import { brand } from '../ui/brand';
import { SevenTicks } from '../ui/SevenTicks';
import { endSession, useSession } from '../ui/session';
import { appMessages } from './app.messages';
import styles from './TopBar.module.css';
import { toggleTheme } from './theme';

/** The links of product-spec §2, for a visitor or an administrator. */
function Links({ session }: { session: boolean }) {
  return (
    <ul>
      {(session ? appMessages.administrator : appMessages.visitor).map(({ label, to }) => (
        <li key={to}>
          <NavLink to={to} prefetch="intent">
            {label}
          </NavLink>
        </li>
      ))}
      {session && (
        <li>
          <button type="button" onClick={endSession}>
            <LogOut aria-hidden size={16} />
            {appMessages.logout}
          </button>
        </li>
      )}
    </ul>
  );
}

/** Brand, links (a `<details>` menu where they do not fit), theme toggle. Both icons are there; CSS shows the right one. */
export function TopBar() {
  const session = useSession();
  const menu = useRef<HTMLDetailsElement>(null);
  const close = () => menu.current?.removeAttribute('open');
  return (
    <header className={styles.bar} data-session={session || undefined}>
      <a className={styles.mark} href="/" aria-label={`${brand()}, ${appMessages.home}`}>
        <SevenTicks />
        {brand()}
      </a>
      <nav className={styles.links} aria-label={appMessages.navigation}>
        <Links session={session} />
      </nav>
      <button className={styles.icon} type="button" aria-label={appMessages.theme} onClick={toggleTheme}>
        <Sun aria-hidden size={20} className={styles.sun} />
        <Moon aria-hidden size={20} className={styles.moon} />
      </button>
      <details
        ref={menu}
        className={styles.menu}
        onBlur={(event) => {
          if (!event.currentTarget.contains(event.relatedTarget)) close();
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          close();
          menu.current?.querySelector('summary')?.focus();
        }}
      >
        <summary className={styles.icon} aria-label={appMessages.menu}>
          <Menu aria-hidden size={20} />
        </summary>
        <nav aria-label={appMessages.menu}>
          <Links session={session} />
        </nav>
      </details>
    </header>
  );
}
