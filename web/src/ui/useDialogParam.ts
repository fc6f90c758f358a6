import { useCallback } from 'react';
import { useAddress } from './useAddress';

/**
 * Which dialog is open, kept in the address (`?novo=1`, `?editar=<id>`): a reload shows it again, Back closes it.
 * `open` adds a history entry and drops other dialogs; `close` replaces it.
 * @param names the dialogs of the screen, a constant of the module
 */
export function useDialogParam<Name extends string>(names: readonly Name[]) {
  const { params, change } = useAddress();
  const name = names.find((candidate) => params.has(candidate)) ?? null;

  const show = useCallback(
    (next: [Name, string] | null) =>
      change(
        (after) => {
          for (const other of names) after.delete(other);
          if (next) after.set(...next);
        },
        { replace: next === null },
      ),
    [change, names],
  );

  return {
    /** The open dialog and the id it is about, or nulls. */
    name,
    id: name ? params.get(name) : null,
    open: useCallback((next: Name, id = '1') => show([next, id]), [show]),
    close: useCallback(() => show(null), [show]),
  };
}
