import { removeAllDrafts } from '../lib/drafts';
import { currentToken, endSession } from '../lib/session';

const LOGOUT = JSON.stringify({ query: 'mutation Logout { logout }' });

/**
 * Forgets the token and every draft at once, whatever the network does, then tells the server that the token must stop
 * working. The request outlives the page.
 */
export function logOut(): void {
  const token = currentToken();
  endSession();
  removeAllDrafts();
  if (token === null) return;
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` };
  fetch('/graphql', { method: 'POST', keepalive: true, headers, body: LOGOUT }).catch(() => undefined);
}
