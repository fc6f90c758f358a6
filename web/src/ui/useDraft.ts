import { useEffect, useRef, useState } from 'react';
import { type DirtyForm, watchForm } from './dirtyForms';

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

const forget = (key: string | null) => {
  if (key !== null) sessionStorage.removeItem(key);
};

/** A kept draft laid over `initial`: only fields that `initial` has, and of the same type. */
function restore<T extends object>(key: string | null, initial: T): T {
  const kept = key === null ? null : sessionStorage.getItem(key);
  if (kept === null) return initial;
  const parsed: unknown = JSON.parse(kept);
  if (typeof parsed !== 'object' || parsed === null) return initial;
  const draft = new Map(Object.entries(parsed));
  const entries = Object.entries(initial).map(([name, value]) => {
    const typed = draft.get(name);
    return [name, typeof typed === typeof value ? typed : value];
  });
  return Object.fromEntries(entries);
}

/**
 * The values of a form. What is typed survives a logout in the middle (kept in sessionStorage until saved or discarded)
 * and is not left without a question.
 * @param key names the form, e.g. `tenants:novo`; null keeps nothing, for secrets
 */
export function useDraft<T extends object>(key: string | null, initial: T, scope: DirtyForm['scope'] = 'dialog') {
  const storageKey = key === null ? null : `draft:${key}`;
  const [baseline, setBaseline] = useState(initial);
  const [values, setValues] = useState<T>(() => restore(storageKey, initial));
  const dirty = useRef(false);

  useEffect(() => {
    dirty.current = !same(values, baseline);
    if (dirty.current && storageKey !== null) sessionStorage.setItem(storageKey, JSON.stringify(values));
    else forget(storageKey);
  }, [storageKey, values, baseline]);

  useEffect(() => {
    const discard = () => {
      dirty.current = false;
      forget(storageKey);
    };
    return watchForm({ scope, isDirty: () => dirty.current, discard });
  }, [scope, storageKey]);

  return {
    values,
    /** Changes some fields. */
    change: (changes: Partial<T>) => setValues((before) => ({ ...before, ...changes })),
    /** The form is clean from now on: call it after a save, before leaving. Without `next` what is shown stays. */
    settle: (next?: T) => {
      dirty.current = false;
      forget(storageKey);
      setBaseline(next ?? values);
      if (next) setValues(next);
    },
  };
}
