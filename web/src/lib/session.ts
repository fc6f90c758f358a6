import { useSyncExternalStore } from 'react';
import { localStore } from './storage';

const KEY = 'token';
const ACCOUNT_KEY = 'account';
const listeners = new Set<() => void>();
const notifyListeners = () => {
  for (const listener of listeners) listener();
};

/** The stored token, or null for a visitor (product §4). */
export const currentToken = (): string | null => localStore.get(KEY);

/** Username of the last login; kept when a session expires, so that its drafts are still found. */
export const currentAccount = (): string => localStore.get(ACCOUNT_KEY) ?? '';

/** Stores the token of a login. @param account its username */
export function startSession(token: string, account: string): void {
  localStore.set(ACCOUNT_KEY, account);
  localStore.set(KEY, token);
  notifyListeners();
}

/** Removes the token. The guard then shows the login screen. */
export function endSession(): void {
  localStore.remove(KEY);
  notifyListeners();
}

function subscribe(listener: () => void): () => void {
  const fromOtherTab = (event: StorageEvent) => {
    if (event.key === KEY || event.key === null) listener();
  };
  listeners.add(listener);
  window.addEventListener('storage', fromOtherTab);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', fromOtherTab);
  };
}

/** Whether somebody is logged in; follows logins and logouts, in other tabs too. False in prerendered pages. */
export const useSession = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => currentToken() !== null,
    () => false,
  );
