import { ApolloProvider } from '@apollo/client/react';
import { useEffect } from 'react';
import { Navigate, Outlet } from 'react-router';
import { ConfirmDialog } from '../ui/ConfirmDialog';
import { FormDialog } from '../ui/FormDialog';
import { useSession } from '../ui/session';
import { whenIdle } from '../ui/whenIdle';
import { client } from './client';
import { LeaveGuard } from './LeaveGuard';
import { PaletteKey } from './PaletteKey';

/** Dialogs come when the page is idle: no click waits for them. One that does not come is asked for again when it opens. */
function useDialogsAhead(): void {
  useEffect(() => {
    void whenIdle().then(() => {
      for (const dialog of [ConfirmDialog, FormDialog]) dialog.preload().catch(() => undefined);
    });
  }, []);
}

/** What only administrators see; without a token it leads to /login (product-spec §2). */
export default function Guard() {
  const session = useSession();
  useDialogsAhead();
  useEffect(() => {
    if (!session) void client.clearStore();
  }, [session]);
  if (!session) return <Navigate to="/login" replace />;
  return (
    <ApolloProvider client={client}>
      <LeaveGuard />
      <PaletteKey />
      <Outlet />
    </ApolloProvider>
  );
}
