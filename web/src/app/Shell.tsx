import { ChakraProvider } from '@chakra-ui/react';
import { useEffect } from 'react';
import { Outlet, useLocation } from 'react-router';
import './base.css';
import { getBrand } from '../lib/page/brand';
import { paths } from '../lib/routing/paths';
import { NotificationRegion } from '../ui/feedback/NotificationRegion';
import { system } from '../ui/theme/system';
import { appMessages } from './app.messages';
import { TopBar } from './bar/TopBar';
import { OfflineBanner } from './OfflineBanner';
import { PageScripts } from './PageScripts';
import { SecretOutlet } from './SecretOutlet';
import styles from './Shell.module.css';
import { followTheme } from './theme';
import { useAnnouncedNavigation } from './useAnnouncedNavigation';

/** In a prerendered page the BFF replaces the placeholder by the current year. */
const getYear = () => (typeof document === 'undefined' ? '__YEAR__' : new Date().getFullYear());

/** Screens for visitors are as wide as a page of text; other screens use the width of the window. */
const NARROW_PATHS: readonly string[] = [paths.login, paths.setup, paths.contact];

/** The frame around every page that runs React: top bar, content, footer, notification. */
export default function Shell() {
  const { pathname } = useLocation();
  const announcement = useAnnouncedNavigation();
  useEffect(followTheme, []);
  return (
    <ChakraProvider value={system}>
      <div className={styles.shell} data-wide={!NARROW_PATHS.includes(pathname) || undefined}>
        <a className={styles.skip} href="#content">
          {appMessages.skip}
        </a>
        <TopBar />
        <OfflineBanner />
        <main id="content" className={styles.main} tabIndex={-1}>
          <Outlet />
        </main>
        <footer id="footer" className={styles.footer} tabIndex={-1}>
          <p suppressHydrationWarning>{`© ${getYear()} ${getBrand()}. ${appMessages.rights}.`}</p>
        </footer>
      </div>
      <p className={styles.announcement} role="status">
        {announcement}
      </p>
      <NotificationRegion />
      <SecretOutlet />
      <PageScripts />
    </ChakraProvider>
  );
}
