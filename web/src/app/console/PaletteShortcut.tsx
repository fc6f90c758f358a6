import { useEffect } from 'react';
import { isDialogOpen } from '../../lib/browser/isDialogOpen';
import { useStore } from '../../lib/store';
import { lazyDialog } from '../../ui/dialog/lazyDialog';
import { isPaletteOpen } from '../palette/paletteOpen';

const Palette = lazyDialog(() => import('../palette/Palette'));

const close = () => isPaletteOpen.set(false);

/** Shows the palette, which Ctrl+K, Cmd+K or a button opens. Its code loads when it first opens. A logout closes it. */
export function PaletteShortcut() {
  const open = useStore(isPaletteOpen);
  useEffect(() => {
    const openOnShortcut = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      // The palette does not open over a dialog, which may hold unsaved input.
      if (!isDialogOpen()) isPaletteOpen.set(true);
    };
    document.addEventListener('keydown', openOnShortcut);
    return () => {
      document.removeEventListener('keydown', openOnShortcut);
      close();
    };
  }, []);
  return open ? <Palette onClose={close} /> : null;
}
