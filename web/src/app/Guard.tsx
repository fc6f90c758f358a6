import { ApolloProvider } from '@apollo/client/react';
import { useEffect, useState } from 'react';
import { Navigate, Outlet, PrefetchPageLinks } from 'react-router';
import { ConfirmDialog } from '../ui/ConfirmDialog';
import { FormDialog } from '../ui/FormDialog';
import { useSession } from '../ui/session';
import { whenIdle } from '../ui/whenIdle';
import { appMessages } from './app.messages';
import { client } from './client';
import { LeaveGuard } from './LeaveGuard';
import { PaletteKey } from './PaletteKey';

/** Screens and dialogs come when the page is idle: no click waits for them, and none is lost with the network. */
function Ahead() {
  const [idle, setIdle] = useState(false);
  useEffect(() => {
    void whenIdle().then(() => setIdle(true));
  }, []);
  useEffect(() => {
    if (!idle) return;
    // A dialog that does not come is asked for again when it opens.
    for (const dialog of [ConfirmDialog, FormDialog]) dialog.preload().catch(() => undefined);
  }, [idle]);
  return idle && appMessages.administrator.map(({ to }) => <PrefetchPageLinks key={to} page={to} />);
}

/** What only administrators see; without a token it leads to /login (product-spec §2). */
export default function Guard() {
  const session = useSession();
  useEffect(() => {
    if (!session) void client.clearStore();
  }, [session]);
  if (!session) return <Navigate to="/login" replace />;
  return (
    <ApolloProvider client={client}>
      <LeaveGuard />
      <PaletteKey />
      <Outlet />
      <Ahead />
    </ApolloProvider>
  );
}
