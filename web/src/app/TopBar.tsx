import { LogOut, Menu, Moon, Search, Sun } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { NavLink, useLocation, useNavigate } from 'react-router';
import { brand } from '../lib/brand';
import { useSession } from '../lib/session';
import { SevenTicks } from '../ui/layout/SevenTicks';
import { appMessages } from './app.messages';
import { logOut } from './logout';
import { openPalette } from './palette/paletteOpen';
import { paths } from './paths';
import styles from './TopBar.module.css';
import { toggleTheme } from './theme';

/** The links of product §2, for a visitor or an administrator. */
function Links({ session }: { session: boolean }) {
  const navigate = useNavigate();
  const leave = () => {
    logOut();
    void navigate(paths.login);
  };
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
          <button type="button" onClick={leave}>
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
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another screen closes the menu
  useEffect(close, [pathname]);
  return (
    <header className={styles.bar} data-session={session || undefined}>
      <a className={styles.mark} href={paths.home} aria-label={`${brand()}, ${appMessages.home}`}>
        <SevenTicks />
        {brand()}
      </a>
      <nav className={styles.links} aria-label={appMessages.navigation}>
        <Links session={session} />
      </nav>
      {session && (
        <button
          className={styles.search}
          type="button"
          aria-keyshortcuts="Control+K"
          title={appMessages.palette}
          onClick={openPalette}
        >
          <Search aria-hidden size={18} />
          <span className={styles.spoken}>{appMessages.palette}</span>
          <kbd>{appMessages.paletteKeys}</kbd>
        </button>
      )}
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
