import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
let isOpen = false;

function set(next: boolean): void {
  isOpen = next;
  for (const listener of listeners) listener();
}

export const openPalette = (): void => set(true);
export const closePalette = (): void => set(false);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether the command palette is open: the bar opens it, and the keyboard anywhere. */
export const usePaletteOpen = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => isOpen,
    () => false,
  );
