import { removeAllDrafts } from '../lib/forms/drafts';
import { endSession, getToken } from '../lib/session/session';

const LOGOUT = JSON.stringify({ query: 'mutation Logout { logout }' });

/**
 * Removes the token and every draft without waiting for the network. Then it tells the server to revoke the token.
 * The browser sends this request even if the page is closed.
 */
export function logOut(): void {
  const token = getToken();
  endSession();
  removeAllDrafts();
  if (token === null) return;
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` };
  fetch('/graphql', { method: 'POST', keepalive: true, headers, body: LOGOUT }).catch(() => undefined);
}
