import { client } from '../../lib/client';
import { currentToken } from '../../lib/session';
import { OverviewDocument } from './generated/overview';

/** Sends the query from the route's `clientLoader`, so that it runs while the screen is loaded. */
export function preloadOverview(): void {
  if (currentToken() === null) return;
  client.query({ query: OverviewDocument, fetchPolicy: 'network-only' }).catch(() => undefined);
}
