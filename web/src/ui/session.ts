import { useSyncExternalStore } from 'react';

const KEY = 'token';
const listeners = new Set<() => void>();
const tell = () => {
  for (const listener of listeners) listener();
};

/** The kept token, or null for a visitor (product-spec §4). */
export const currentToken = (): string | null => localStorage.getItem(KEY);

/** Logs in: keeps the token. */
export function startSession(token: string): void {
  localStorage.setItem(KEY, token);
  tell();
}

/** Logs out: forgets the token. The guard then shows the login screen. */
export function endSession(): void {
  localStorage.removeItem(KEY);
  tell();
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
