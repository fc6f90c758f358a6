import 'virtual:icons.css';
import { ApolloProvider } from '@apollo/client/react';
import { useEffect } from 'react';
import { Navigate, Outlet } from 'react-router';
import { useSession } from '../lib/session';
import { whenIdle } from '../lib/whenIdle';
import { ConfirmDialog } from '../ui/dialog/ConfirmDialog';
import { FormDialog } from '../ui/dialog/FormDialog';
import { client } from './client';
import { LeaveGuard } from './LeaveGuard';
import { PaletteShortcut } from './PaletteShortcut';
import { paths } from './paths';
import { RequestsHost } from './RequestsHost';

/** Loads the dialogs when the page is idle, so that no click waits for them. A failed load is repeated when one opens. */
function usePreloadedDialogs(): void {
  useEffect(() => {
    void whenIdle().then(() => {
      for (const dialog of [ConfirmDialog, FormDialog]) dialog.preload().catch(() => undefined);
    });
  }, []);
}

/** Screens for administrators; without a token it redirects to /login (product §2). */
export default function Guard() {
  const session = useSession();
  usePreloadedDialogs();
  useEffect(() => {
    if (!session) void client.clearStore();
  }, [session]);
  if (!session) return <Navigate to={paths.login} replace />;
  return (
    <ApolloProvider client={client}>
      <LeaveGuard />
      <PaletteShortcut />
      <Outlet />
      <RequestsHost />
    </ApolloProvider>
  );
}
