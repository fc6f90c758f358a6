import { createStore } from '../../lib/store';

/** Whether the command palette is open. A button of the top bar and a shortcut on every page open it. */
export const isPaletteOpen = createStore(false);
