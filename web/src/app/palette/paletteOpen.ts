import { createStore } from '../../lib/store';

/** Whether the command palette is open. A button of the top bar and a shortcut of the console open it. */
export const isPaletteOpen = createStore(false);
