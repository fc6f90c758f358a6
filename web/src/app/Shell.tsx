import { ChakraProvider } from '@chakra-ui/react';
import { useEffect } from 'react';
import { Outlet, useLocation } from 'react-router';
import './base.css';
import { brand } from '../ui/brand';
import { ClientLoader } from '../ui/clientLoader';
import { NotificationRegion } from '../ui/NotificationRegion';
import { appMessages } from './app.messages';
import { OfflineBanner } from './OfflineBanner';
import styles from './Shell.module.css';
import { system } from './system';
import { TopBar } from './TopBar';
import { followTheme } from './theme';

const loadClient = () => import('./client').then(({ client }) => client);
/** The BFF fills the placeholder of the prerendered pages in with the same year. */
const year = () => (typeof document === 'undefined' ? '__YEAR__' : new Date().getFullYear());

/** The frame around every page that runs React: top bar, content, footer, notification. */
export default function Shell() {
  const { pathname } = useLocation();
  useEffect(followTheme, []);
  return (
    <ChakraProvider value={system}>
      <ClientLoader value={loadClient}>
        <div className={styles.shell}>
          <a className={styles.skip} href="#content">
            {appMessages.skip}
          </a>
          <TopBar key={pathname} />
          <OfflineBanner />
          <main id="content" className={styles.main} tabIndex={-1}>
            <Outlet />
          </main>
          <footer id="footer" className={styles.footer} tabIndex={-1}>
            <p suppressHydrationWarning>{`© ${year()} ${brand()}. ${appMessages.rights}.`}</p>
          </footer>
        </div>
        <NotificationRegion />
      </ClientLoader>
    </ChakraProvider>
  );
}
