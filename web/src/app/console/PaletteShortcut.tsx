import { useEffect } from 'react';
import { useStore } from '../../lib/store';
import { lazyDialog } from '../../ui/dialog/lazyDialog';
import { paletteOpen } from '../palette/paletteOpen';

const Palette = lazyDialog(() => import('../palette/Palette'));

const close = () => paletteOpen.set(false);

/** The command palette. Ctrl+K (or Cmd+K) or its button opens it, and it is loaded when it first opens. */
export function PaletteShortcut() {
  const open = useStore(paletteOpen);
  useEffect(() => {
    const toggle = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      // The palette does not open over a dialog, which may hold unsaved input.
      if (document.querySelector('[role$="dialog"]') === null) paletteOpen.set(true);
    };
    document.addEventListener('keydown', toggle);
    return () => {
      document.removeEventListener('keydown', toggle);
      close();
    };
  }, []);
  return open ? <Palette onClose={close} /> : null;
}
