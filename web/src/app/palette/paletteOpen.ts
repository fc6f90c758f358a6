import { createStore, useStore } from '../../lib/store';

const isOpen = createStore(false);

export const openPalette = (): void => isOpen.set(true);
export const closePalette = (): void => isOpen.set(false);

/** Whether the command palette is open. A button of the top bar and a shortcut on every page open it. */
export const usePaletteOpen = (): boolean => useStore(isOpen);
