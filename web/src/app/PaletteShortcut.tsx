import { useEffect } from 'react';
import { lazyDialog } from '../ui/dialog/lazyDialog';
import { closePalette, openPalette, usePaletteOpen } from './palette/paletteOpen';

const Palette = lazyDialog(() => import('./palette/Palette'));

/** The command palette, which is loaded when it first opens: by Ctrl+K (or Cmd+K), or by the bar. */
export function PaletteShortcut() {
  const open = usePaletteOpen();
  useEffect(() => {
    const toggle = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      // Not over another dialog: what is typed there comes first.
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
