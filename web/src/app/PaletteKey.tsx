import { useEffect, useState } from 'react';
import { lazyDialog } from '../ui/lazyDialog';

const Palette = lazyDialog(() => import('./palette/Palette'));

/** Ctrl+K (or Cmd+K) opens the command palette, which is loaded then. */
export function PaletteKey() {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const toggle = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      // Not over another dialog: what is typed there comes first.
      if (document.querySelector('[role$="dialog"]') === null) setOpen(true);
    };
    document.addEventListener('keydown', toggle);
    return () => document.removeEventListener('keydown', toggle);
  }, []);
  return open ? <Palette onClose={() => setOpen(false)} /> : null;
}
