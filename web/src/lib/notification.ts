import { useSyncExternalStore } from 'react';
import type { Failure } from './failure';

type NotificationColor = 'success' | 'error';

export interface Notification {
  id: number;
  text: string;
  /** A second line. */
  note?: string;
  color: NotificationColor;
  /** Time on screen. */
  timeoutMs: number;
}

const listeners = new Set<() => void>();
let current: Notification | null = null;
let lastId = 0;

function set(next: Notification | null): void {
  current = next;
  for (const listener of listeners) listener();
}

/** Shows the global notification (product §3, §9: success and 4000 ms unless told otherwise); a new one replaces it. */
export function notify(
  text: string,
  { color = 'success', timeoutMs = 4000, note }: Partial<Omit<Notification, 'id' | 'text'>> = {},
): void {
  lastId += 1;
  set({ id: lastId, text, color, timeoutMs, note });
}

/** Shows a failure as the global notification. */
export const notifyFailure = ({ sentence, note }: Failure): void => notify(sentence, { color: 'error', note });

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
