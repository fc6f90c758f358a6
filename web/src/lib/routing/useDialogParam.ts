import { useCallback, useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { isObject } from '../isObject';
import { useIsMounted } from './useIsMounted';
import { readLocationParams, removeParams, useSearchParamsState } from './useSearchParamsState';

/**
 * Property in the state of a history entry if `open` has added the entry. The entry before it is the same screen
 * without the dialog.
 */
const OPENED_BY_CLICK = 'dialogOpened';

/** Id of a dialog that belongs to the screen and not to a row of it. */
export const SCREEN_DIALOG_ID = '1';

/** Returns whether the address bar has one of the dialogs. */
function isInLocation(names: readonly string[]): boolean {
  const params = readLocationParams();
  return names.some((name) => params.has(name));
}

/** The open dialog of a screen, and the functions that change it. */
export type DialogParam<Name extends string> = ReturnType<typeof useDialogParam<Name>>;

/**
 * Keeps the open dialog in the URL (`?novo=1`, `?editar=<id>`). A reload shows it again, and Back closes it. `open`
 * adds a history entry, or replaces the entry of the open dialog. `close` goes back to the entry before the dialog. If
 * the page was opened with the dialog in its URL, `close` replaces the entry.
 * @param names the dialogs of the screen, a constant of the module
 */
export function useDialogParam<Name extends string>(names: readonly Name[]) {
  const { params, update } = useSearchParamsState();
  const { state } = useLocation();
  const navigate = useNavigate();
  const isMounted = useIsMounted();
  const name = names.find((candidate) => params.has(candidate)) ?? null;
  const wasOpenedByClick = isObject(state) && OPENED_BY_CLICK in state;
  // A second click must not go back again while the first navigation is pending.
  const isClosing = useRef(false);
  useEffect(() => {
    isClosing.current = false;
    // If unsaved changes block the navigation, the router goes forward to the entry of the dialog again. The user may
    // then close the dialog once more.
    const onPopState = () => {
      if (name !== null && isInLocation([name])) isClosing.current = false;
    };
    window.addEventListener('popstate', onPopState);
    return () => window.removeEventListener('popstate', onPopState);
  }, [name]);

  const open = useCallback(
    (next: Name, id = SCREEN_DIALOG_ID, extraState: object = {}) => {
      // The second click of a double click finds the dialog in the URL, but not yet on screen.
      if (name === null && isInLocation(names)) return;
      const addsEntry = !wasOpenedByClick && name === null;
      const entryState = addsEntry ? { ...extraState, [OPENED_BY_CLICK]: true } : extraState;
      const nextState = isObject(state) ? { ...state, ...entryState } : entryState;
      update({ ...removeParams(names), [next]: id }, { replace: !addsEntry, state: nextState });
    },
    [update, names, wasOpenedByClick, name, state],
  );
  const close = useCallback(() => {
    if (isClosing.current || !isInLocation(names) || !isMounted()) return;
    if (!wasOpenedByClick) {
      update(removeParams(names));
      return;
    }
    isClosing.current = true;
    void navigate(-1);
  }, [update, names, wasOpenedByClick, navigate, isMounted]);

  return {
    /** The open dialog and the id of its entity, or nulls. */
    name,
    id: name ? params.get(name) : null,
    /** Opens a dialog. `extraState` is stored in the state of the history entry. */
    open,
    close,
  };
}
