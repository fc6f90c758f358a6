import 'virtual:icons.css';
import { ApolloProvider } from '@apollo/client/react';
import { chakra, VisuallyHidden } from '@chakra-ui/react';
import { Suspense, useEffect, useEffectEvent } from 'react';
import { Link, Navigate, Outlet, useLocation } from 'react-router';
import { whenIdle } from '../../lib/browser/whenIdle';
import { client } from '../../lib/graphql/client/client';
import { AFTER_LOGIN, isOpenToLimitedAccounts, paths } from '../../lib/routing/paths';
import { useAccess } from '../../lib/session/access';
import { forgetReturnPath, keepReturnPath, useIsLoggedIn } from '../../lib/session/session';
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog';
import { FormDialog } from '../../ui/dialog/FormDialog';
import { Skeleton } from '../../ui/feedback/QueryState';
import { PageMessage } from '../../ui/layout/PageMessage';
import { preloadMotion } from '../../ui/layout/slideIn';
import { uiMessages } from '../../ui/ui.messages';
import { appMessages } from '../app.messages';
import { AccessLoader } from './AccessLoader';
import { PaletteShortcut } from './PaletteShortcut';
import { RequestsOutlet } from './RequestsOutlet';
import { SudoOutlet } from './SudoOutlet';
import { UnsavedChangesPrompt } from './UnsavedChangesPrompt';
import { useLastHeight } from './useLastHeight';

/** Loads the dialogs when the page is idle, so that no click waits. If a load fails, the dialog loads when it opens. */
function usePreloadDialogs(): void {
  useEffect(() => {
    void whenIdle().then(() => {
      for (const dialog of [ConfirmDialog, FormDialog]) dialog.preload().catch(() => undefined);
    });
  }, []);
}

/** Shown while a screen loads. It has an h1, because a screen reader has no starting point on a page without an h1. */
const LoadingScreen = ({ minHeight }: { minHeight: number | undefined }) => (
  <div style={{ minHeight }}>
    <VisuallyHidden asChild>
      <h1 data-loading>{appMessages.loading}</h1>
    </VisuallyHidden>
    {/* A grey bar instead of the heading, as in `ConsoleSkeleton`. */}
    <chakra.div
      data-title
      w="200px"
      h="28px"
      mt="3px"
      mb="6"
      borderRadius="sm"
      bg="bg.subtle"
      animation="fade-in 0.15s 0.2s backwards"
    />
    <Skeleton />
  </div>
);

/** Shown instead of a screen that is closed to limited accounts. After a login, `/admin` redirects to the tenants. */
function Forbidden() {
  const { pathname, state } = useLocation();
  if (pathname === paths.subdomains && state?.[AFTER_LOGIN] === true) return <Navigate to={paths.tenants} replace />;
  return (
    <PageMessage title={appMessages.forbidden.title} text={uiMessages.limited}>
      <Link to={paths.tenants}>{appMessages.forbidden.action}</Link>
    </PageMessage>
  );
}

/** Frame of the console's screens. Without a token it redirects to /login (product §2). */
export default function RequireAuth() {
  const isLoggedIn = useIsLoggedIn();
  const { pathname, search } = useLocation();
  const { isLimited } = useAccess();
  const lastHeight = useLastHeight();
  usePreloadDialogs();
  useEffect(preloadMotion, []);
  const keepCurrentPath = useEffectEvent(() => keepReturnPath(pathname + search));
  useEffect(() => {
    if (isLoggedIn) forgetReturnPath();
    else keepCurrentPath();
  }, [isLoggedIn]);
  if (!isLoggedIn) return <Navigate to={paths.login} replace />;
  return (
    <ApolloProvider client={client}>
      <AccessLoader />
      <UnsavedChangesPrompt />
      <PaletteShortcut />
      {/* The key makes a new boundary for each path.
          A reused boundary would show the previous screen until the next screen has its data. */}
      <Suspense key={pathname} fallback={<LoadingScreen minHeight={lastHeight} />}>
        {!isLimited || isOpenToLimitedAccounts(pathname) ? <Outlet /> : <Forbidden />}
      </Suspense>
      <RequestsOutlet />
      <SudoOutlet />
    </ApolloProvider>
  );
}
