import { useSyncExternalStore } from 'react';

type NotificationColor = 'success' | 'error' | 'info';

export interface Notification {
  id: number;
  text: string;
  color: NotificationColor;
  /** Milliseconds on screen. */
  timeout: number;
}

const listeners = new Set<() => void>();
let current: Notification | null = null;
let lastId = 0;

function set(next: Notification | null): void {
  current = next;
  for (const listener of listeners) listener();
}

/** Shows the global notification (product-spec §3, §9: success and 4000 ms unless told otherwise); a new one replaces it. */
export function notify(
  text: string,
  { color = 'success', timeout = 4000 }: Partial<Omit<Notification, 'id' | 'text'>> = {},
): void {
  lastId += 1;
  set({ id: lastId, text, color, timeout });
}

/** Hides the global notification. */
export const hideNotification = (): void => set(null);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The notification on screen, or null. */
export const useNotification = (): Notification | null =>
  useSyncExternalStore(
    subscribe,
    () => current,
    () => null,
  );
