import { type ComponentType, useEffect, useEffectEvent, useReducer } from 'react';
import { notify } from '../../lib/notifications/notification';
import { useAccess } from '../../lib/session/access';
import { uiMessages } from '../ui.messages';

/** The URL of the module that Chromium could not load, from the text of the error. */
const parseModuleUrl = (error: unknown): string | undefined => /https?:\S+\.js/.exec(String(error))?.[0];

/** Loads a component once. After a failure, a later call tries again, from another URL if the error names the URL. */
function createLoader<Props>(load: () => Promise<{ default: ComponentType<Props> }>) {
  let View: ComponentType<Props> | undefined;
  // Browsers cache the failure of a module by its URL. With another URL they fetch the module again.
  let failedUrl: string | undefined;
  const loadAgain = (url: string): ReturnType<typeof load> => import(/* @vite-ignore */ `${url}?${Date.now()}`);
  const preload = async (): Promise<void> => {
    if (View) return;
    try {
      View = (await (failedUrl === undefined ? load() : loadAgain(failedUrl))).default;
    } catch (error) {
      failedUrl ??= parseModuleUrl(error);
      throw error;
    }
  };
  return { getView: () => View, preload };
}

/**
 * A dialog whose code loads with its first opening, or earlier by `preload()` (docs/decisions/136). If the code cannot
 * be loaded (no network, a newer build on the server), a notification says so and `onClose` is called. The next opening
 * tries again. Escape also closes a dialog that is still loading.
 */
export function lazyDialog<Props extends { onClose: () => void }>(
  load: () => Promise<{ default: ComponentType<Props> }>,
) {
  const { getView, preload } = createLoader(load);

  function LazyDialog(props: Props) {
    const [, render] = useReducer((count: number) => count + 1, 0);
    const close = useEffectEvent(() => props.onClose());
    const View = getView();
    const isLoaded = View !== undefined;
    useEffect(() => {
      if (isLoaded) return;
      const abortController = new AbortController();
      const { signal } = abortController;
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
      return () => abortController.abort();
    }, [isLoaded]);
    return View ? <View {...props} /> : null;
  }
  return Object.assign(LazyDialog, { preload });
}

/**
 * A lazy dialog that changes data. A viewer who opens the dialog by its URL sees nothing. Set `allowViewers` if the
 * dialog changes at most the viewer's own data.
 */
export function lazyDialogForWriters<Props extends { onClose: () => void }>(
  load: () => Promise<{ default: ComponentType<Props> }>,
) {
  const LazyDialog = lazyDialog(load);
  function WriterDialog(props: Props & { allowViewers?: boolean }) {
    const { canWrite } = useAccess();
    return canWrite || props.allowViewers ? <LazyDialog {...props} /> : null;
  }
  return Object.assign(WriterDialog, { preload: LazyDialog.preload });
}
