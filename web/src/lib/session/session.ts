import { useSyncExternalStore } from 'react';
import { localStore, sessionStore } from '../browser/safeStorage';
import { createEmitter } from '../store';
import { forgetAccess } from './access';

const TOKEN_KEY = 'token';
const ACCOUNT_KEY = 'account';
/** Key in local storage, set after the server has ended the last session. */
const EXPIRED_KEY = 'session-expired';
/** Key in session storage for the page that was open when the session expired. */
const RETURN_KEY = 'return-to';
const changes = createEmitter();

/** The stored token, or null for a visitor (product §4). */
export const getToken = (): string | null => localStore.get(TOKEN_KEY);

/** Username of the last login; kept when a session expires, so that the account's drafts are still found. */
export const getAccount = (): string => localStore.get(ACCOUNT_KEY) ?? '';

/** Stores the token of a login. @param account the username of the login */
export function startSession(token: string, account: string): void {
  if (account !== getAccount()) forgetAccess();
  localStore.set(ACCOUNT_KEY, account);
  localStore.remove(EXPIRED_KEY);
  localStore.set(TOKEN_KEY, token);
  changes.emit();
}

/** Removes the token at a logout. `RequireAuth` then shows the login screen. */
export function endSession(): void {
  localStore.remove(TOKEN_KEY);
  localStore.remove(EXPIRED_KEY);
  forgetReturnPath();
  changes.emit();
}

/** Removes a token that the server refused (401). The next login returns to the open page (product §2). */
export function expireSession(): void {
  localStore.set(EXPIRED_KEY, '1');
  localStore.remove(TOKEN_KEY);
  changes.emit();
}

/** Remembers the open page after a session has expired, but not after a logout. @param path including its query */
export function keepReturnPath(path: string): void {
  if (localStore.get(EXPIRED_KEY)) sessionStore.set(RETURN_KEY, path);
}

/** The path that the next login of this tab opens, or null. */
export const getReturnPath = (): string | null => sessionStore.get(RETURN_KEY);

export const forgetReturnPath = (): void => sessionStore.remove(RETURN_KEY);

/** Calls the listener when a session begins or ends, also in other tabs. @returns a function that unsubscribes */
export function watchSession(listener: () => void): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key === TOKEN_KEY || event.key === null) listener();
  };
  const unsubscribe = changes.subscribe(listener);
  window.addEventListener('storage', onStorage);
  return () => {
    unsubscribe();
    window.removeEventListener('storage', onStorage);
  };
}

/**
 * Whether somebody is logged in. Logins and logouts in other tabs count, too. The value is false in prerendered pages.
 */
export const useIsLoggedIn = (): boolean =>
  useSyncExternalStore(
    watchSession,
    () => getToken() !== null,
    () => false,
  );
