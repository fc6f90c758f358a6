import { useEffect } from 'react';
import { lazyDialog } from '../../ui/dialog/lazyDialog';
import { closePalette, openPalette, usePaletteOpen } from '../palette/paletteOpen';

const Palette = lazyDialog(() => import('../palette/Palette'));

/** The command palette. Ctrl+K (or Cmd+K) or its button opens it, and it is loaded when it first opens. */
export function PaletteShortcut() {
  const open = usePaletteOpen();
  useEffect(() => {
    const toggle = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      // An open dialog may hold unsaved input.
      if (document.querySelector('[role$="dialog"]') === null) openPalette();
    };
    document.addEventListener('keydown', toggle);
    return () => {
      document.removeEventListener('keydown', toggle);
      closePalette();
    };
  }, []);
  return open ? <Palette onClose={closePalette} /> : null;
}
