import { useSearchParams } from 'react-router';

/**
 * Which dialog is open, kept in the address (`?novo=1`, `?editar=<id>`): a reload shows it again, Back closes it.
 * `open` adds a history entry and drops other dialogs; `close` replaces it.
 * @param names the dialogs of the screen
 */
export function useDialogParam<Name extends string>(names: readonly Name[]) {
  const [params, setParams] = useSearchParams();
  const name = names.find((candidate) => params.has(candidate)) ?? null;

  const change = (next: [Name, string] | null) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        for (const other of names) after.delete(other);
        if (next) after.set(...next);
        return after;
      },
      { replace: next === null, preventScrollReset: true },
    );

  return {
    /** The open dialog and the id it is about, or nulls. */
    name,
    id: name ? params.get(name) : null,
    open: (next: Name, id = '1') => change([next, id]),
    close: () => change(null),
  };
}
