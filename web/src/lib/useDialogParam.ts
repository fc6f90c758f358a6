import { useCallback, useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { isObject } from './isObject';
import { useIsMounted } from './useIsMounted';
import { useSearchParamsState, without } from './useSearchParamsState';

/** Marks a history entry that `open` has added, in its state: the previous entry is the same screen without the dialog. */
const OPENED = 'dialogOpened';

/**
 * Which dialog is open, kept in the address (`?novo=1`, `?editar=<id>`): a reload shows it again, Back closes it.
 * `open` adds a history entry, or replaces that of the dialog that is open; `close` goes back over it, so that each Back has
 * an effect. A dialog that the address opened is closed by replacing the entry.
 * @param names the dialogs of the screen, a constant of the module
 */
export function useDialogParam<Name extends string>(names: readonly Name[]) {
  const { params, update } = useSearchParamsState();
  const { state, key } = useLocation();
  const navigate = useNavigate();
  const isMounted = useIsMounted();
  const name = names.find((candidate) => params.has(candidate)) ?? null;
  const wasOpened = isObject(state) && OPENED in state;
  // A second click must not go back twice while the first navigation is pending.
  const isClosing = useRef(false);
  useEffect(() => {
    isClosing.current = false;
    // The question about unsaved changes goes forward to this entry again before it is asked.
    const onPopState = () => {
      if (window.history.state?.key === key) isClosing.current = false;
    };
    window.addEventListener('popstate', onPopState);
    return () => window.removeEventListener('popstate', onPopState);
  }, [key]);

  const open = useCallback(
    (next: Name, id = '1', about: object = {}) => {
      const address = new URLSearchParams(window.location.search);
      // The second click of a double click finds the dialog in the address, but not yet on screen.
      if (name === null && names.some((candidate) => address.has(candidate))) return;
      update(
        { ...without(names), [next]: id },
        wasOpened || name !== null
          ? { state: { ...(isObject(state) && state), ...about } }
          : { replace: false, state: { ...(isObject(state) && state), ...about, [OPENED]: true } },
      );
    },
    [update, names, wasOpened, name, state],
  );
  const close = useCallback(() => {
    if (isClosing.current || !isMounted()) return;
    if (!wasOpened) {
      update(without(names));
      return;
    }
    isClosing.current = true;
    void navigate(-1);
  }, [update, names, wasOpened, navigate, isMounted]);

  return {
    /** The open dialog and the id it is about, or nulls. */
    name,
    id: name ? params.get(name) : null,
    /** `about`: further data for the dialog, stored in the history's state. */
    open,
    close,
  };
}
