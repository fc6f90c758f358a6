import { useEffect, useRef, useState } from 'react';
import { readDraft, removeDraft, saveDraft } from '../../lib/drafts';
import { isEqual } from '../../lib/isEqual';
import { type TrackedForm, trackForm } from '../../lib/unsavedForms';

/**
 * Merges a stored draft into `initial`: only fields that were changed in the draft, exist in `initial` and have the same type.
 * The others show the saved values, however old the draft is.
 */
function restore<Values extends object>(name: string | null, initial: Values) {
  const draft = name === null ? null : readDraft(name);
  if (!draft) return { values: initial, restored: null };
  const typedFields = Object.entries(initial).filter(
    ([field, value]) => typeof draft.values[field] === typeof value && !isEqual(draft.values[field], draft.base[field]),
  );
  const values: Values = {
    ...initial,
    ...Object.fromEntries(typedFields.map(([field]) => [field, draft.values[field]])),
  };
  if (isEqual(values, initial)) return { values, restored: null };
  return { values, restored: { isOutdated: typedFields.some(([field, value]) => !isEqual(value, draft.base[field])) } };
}

/**
 * The values of a form. Changes are stored as a draft, which survives the end of a session (`lib/drafts`), and leaving them
 * asks first (`LeaveGuard`).
 * @param name of the form, e.g. `tenants:novo`; null stores nothing, for secrets
 */
export function useDraft<Values extends object>(name: string | null, initial: Values, scope: TrackedForm['scope']) {
  const [saved, setSaved] = useState(initial);
  const [first] = useState(() => restore(name, initial));
  const [values, setValues] = useState<Values>(first.values);
  const [restored, setRestored] = useState(first.restored);
  const isDirty = useRef(false);

  useEffect(() => {
    isDirty.current = !isEqual(values, saved);
    if (name === null) return;
    if (isDirty.current) saveDraft(name, saved, values);
    else removeDraft(name);
  }, [name, values, saved]);

  useEffect(() => {
    const discard = () => {
      isDirty.current = false;
      if (name !== null) removeDraft(name);
    };
    return trackForm({ scope, isDirty: () => isDirty.current, discard });
  }, [scope, name]);

  const show = (next: Values) => {
    isDirty.current = false;
    if (name !== null) removeDraft(name);
    setRestored(null);
    setSaved(next);
    setValues(next);
  };
  return {
    values,
    /** The saved values: the form is dirty where it differs. */
    saved,
    /** Sets the saved values, and the shown ones. */
    rebase: (next: Values, shown: Values) => {
      setRestored(null);
      setSaved(next);
      setValues(shown);
    },
    /** Changes some fields. */
    change: (changes: Partial<Values>) => setValues((before) => ({ ...before, ...changes })),
    /** The current values count as saved: leaving does not ask any more. With `next` the form shows that instead. */
    markSaved: (next?: Values) => show(next ?? values),
    /** Set while the form shows a restored draft: replaces it with the saved values. */
    restored: restored && { ...restored, onDiscard: () => show(saved) },
  };
}
