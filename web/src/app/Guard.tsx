import { ApolloProvider } from '@apollo/client/react';
import { useEffect } from 'react';
import { Navigate, Outlet } from 'react-router';
import { useSession } from '../ui/session';
import { whenIdle } from '../ui/whenIdle';
import { client } from './client';
import { LeaveGuard } from './LeaveGuard';
import { PaletteKey } from './PaletteKey';

/** Dialogs come when the screen is idle: no click waits for them, and none is lost with the network. */
function useDialogsAhead(): void {
  useEffect(() => {
    void whenIdle().then(() => Promise.all([import('../ui/ConfirmDialogView'), import('../ui/FormDialogView')]));
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
