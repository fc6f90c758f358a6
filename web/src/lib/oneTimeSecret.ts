import { useSyncExternalStore } from 'react';

/** A secret that the server shows once. */
export interface OneTimeSecret {
  title: string;
  /** Says that it is shown only now. */
  warning: string;
  /** Names the field that holds it. */
  label: string;
  secret: string;
  /** The words of the two buttons. */
  copy: string;
  close: string;
  copied: string;
  copyFailed: string;
  /** How the secret is used: a line that holds it, to be run as it stands. */
  example?: { label: string; text: string; copy: string };
}

const listeners = new Set<() => void>();
let current: OneTimeSecret | null = null;

function set(next: OneTimeSecret | null): void {
  current = next;
  for (const listener of listeners) listener();
}

/** Shows it over whatever screen is there, until its own button closes it: no navigation and no logout take it away. */
export const showOnce = (secret: OneTimeSecret): void => set(secret);

/** Forgets it. */
export const removeSecret = (): void => set(null);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The secret on screen, or null. It is in no storage, no cache and no address. */
export const useOneTimeSecret = (): OneTimeSecret | null =>
  useSyncExternalStore(
    subscribe,
    () => current,
    () => null,
  );
