import { type ComponentType, useEffect, useEffectEvent, useReducer } from 'react';
import { notify } from '../../lib/notification';
import { uiMessages } from '../ui.messages';

/**
 * A dialog whose code comes with its first opening, or before by `preload()`: the first paint of a screen has none.
 * When the code cannot come (no network, a newer build on the server), a notification says so, the dialog counts as
 * closed, and the screen stays as it is; the next opening tries again. Escape closes it before it has come, too.
 */
export function lazyDialog<Props extends { onClose: () => void }>(
  load: () => Promise<{ default: ComponentType<Props> }>,
) {
  let View: ComponentType<Props> | undefined;
  const preload = async (): Promise<void> => {
    View ??= (await load()).default;
  };

  function LazyDialog(props: Props) {
    const [, render] = useReducer((times: number) => times + 1, 0);
    const close = useEffectEvent(() => props.onClose());
    const isHere = View !== undefined;
    useEffect(() => {
      if (isHere) return;
      const closed = new AbortController();
      const { signal } = closed;
      document.addEventListener('keydown', ({ key }) => key === 'Escape' && close(), { signal });
      preload().then(
        () => {
          if (!signal.aborted) render();
        },
        () => {
          if (signal.aborted) return;
          notify(uiMessages.dialogNotLoaded, { color: 'error', timeoutMs: 8000 });
          close();
        },
      );
      return () => closed.abort();
    }, [isHere]);
    return View ? <View {...props} /> : null;
  }
  return Object.assign(LazyDialog, { preload });
}
