import { useCallback, useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { isObject } from './isObject';
import { unsavedForms } from './unsavedForms';
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: another entry is another dialog
  useEffect(() => {
    isClosing.current = false;
  }, [key]);

  const open = useCallback(
    (next: Name, id = '1', about: object = {}) =>
      update(
        { ...without(names), [next]: id },
        wasOpened || name !== null
          ? { state: { ...(isObject(state) && state), ...about } }
          : { replace: false, state: { ...(isObject(state) && state), ...about, [OPENED]: true } },
      ),
    [update, names, wasOpened, name, state],
  );
  const close = useCallback(() => {
    if (isClosing.current || !isMounted()) return;
    if (!wasOpened) {
      update(without(names));
      return;
    }
    // Unsaved changes ask first, which may keep the dialog open.
    isClosing.current = unsavedForms(false).length === 0;
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
