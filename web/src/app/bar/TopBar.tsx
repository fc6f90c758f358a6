import { Button, IconButton, VisuallyHidden } from '@chakra-ui/react';
import { CircleUser, LogOut, Menu, Moon, Search, Sun } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { NavLink, useNavigate } from 'react-router';
import { getBrand } from '../../lib/page/brand';
import { isGatewayPath, isOpenToLimitedAccounts, paths } from '../../lib/routing/paths';
import { useAccess } from '../../lib/session/access';
import { useIsLoggedIn } from '../../lib/session/session';
import { SevenTicks } from '../../ui/layout/SevenTicks';
import { appMessages } from '../app.messages';
import { logOut } from '../logout';
import { isPaletteOpen } from '../palette/paletteOpen';
import { toggleTheme } from '../theme';
import { BarMenu } from './BarMenu';
import styles from './TopBar.module.css';

/** Lazy, because these modules need the GraphQL client, which the pages of visitors do not load. */
const InboxLinks = lazy(() => import('../console/InboxLinks'));
const AccountLinks = lazy(() => import('../console/AccountLinks'));

/** The links of product §2, for a visitor or an administrator. */
function Links({ isLoggedIn }: { isLoggedIn: boolean }) {
  const navigate = useNavigate();
  const { isLimited } = useAccess();
  const screens = appMessages.administrator.filter(({ to }) => !isLimited || isOpenToLimitedAccounts(to));
  const logOutAndLeave = () => {
    logOut();
    void navigate(paths.login);
  };
  return (
    <ul>
      {(isLoggedIn ? screens : appMessages.visitor).map(({ label, to }) => (
        <li key={to}>
          <NavLink to={to} prefetch="intent">
            {label}
            {isGatewayPath(to) && <small>{appMessages.gateway}</small>}
          </NavLink>
        </li>
      ))}
      {isLoggedIn && (
        <li>
          <button type="button" onClick={logOutAndLeave}>
            <LogOut aria-hidden size={16} />
            {appMessages.logout}
          </button>
        </li>
      )}
    </ul>
  );
}

/**
 * The bar has the brand, the links, the account and the theme toggle. In a narrow window the links are in a `<details>`
 * menu (decision 135). CSS shows one of the toggle's two icons.
 */
export function TopBar() {
  const isLoggedIn = useIsLoggedIn();
  const { canWrite, isLimited } = useAccess();
  const account = (
    <Suspense fallback={null}>
      <nav aria-label={appMessages.account.label}>
        <AccountLinks />
      </nav>
    </Suspense>
  );
  return (
    <header className={styles.bar} data-session={isLoggedIn || undefined}>
      <a className={styles.mark} href={paths.home} aria-label={`${getBrand()}, ${appMessages.home}`}>
        <SevenTicks />
        {getBrand()}
      </a>
      <nav className={styles.links} aria-label={appMessages.navigation}>
        <Links isLoggedIn={isLoggedIn} />
      </nav>
      {isLoggedIn && (
        <Button
          className={styles.search}
          variant="ghost"
          size="lg"
          aria-keyshortcuts="Control+K"
          title={appMessages.palette}
          onClick={() => isPaletteOpen.set(true)}
        >
          <Search aria-hidden />
          <VisuallyHidden>{appMessages.palette}</VisuallyHidden>
          <kbd>{appMessages.paletteKeys}</kbd>
        </Button>
      )}
      {isLoggedIn && (
        <Suspense fallback={<span className={styles.counts} data-messages={(canWrite && !isLimited) || undefined} />}>
          <InboxLinks />
        </Suspense>
      )}
      <IconButton variant="ghost" size="lg" color="fg" aria-label={appMessages.theme} onClick={toggleTheme}>
        <Sun aria-hidden className={styles.sun} />
        <Moon aria-hidden className={styles.moon} />
      </IconButton>
      {isLoggedIn && (
        <BarMenu label={appMessages.account.label} icon={<CircleUser aria-hidden size={20} />} className={styles.own}>
          {account}
        </BarMenu>
      )}
      <BarMenu label={appMessages.menu} icon={<Menu aria-hidden size={20} />} className={styles.narrow}>
        <nav aria-label={appMessages.menu}>
          <Links isLoggedIn={isLoggedIn} />
        </nav>
        {isLoggedIn && account}
      </BarMenu>
    </header>
  );
}
