import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { removeDraft, restoreDraft, saveDraft } from '../../../lib/forms/drafts';
import { isEqual } from '../../../lib/forms/isEqual';
import { type TrackedForm, trackForm } from '../../../lib/forms/unsavedForms';

export interface DraftOptions<Values> {
  /** Name of the draft in sessionStorage, e.g. `tenants:novo`. A form with a secret has no draft. */
  draft?: string;
  /** The saved values, read once. Without them the fields keep the text that was typed before hydration. */
  initial?: Values;
  /** Navigations that ask first: all (`dialog`, the default), those to another path or tab (`page`), or none (null). */
  scope?: TrackedForm['scope'] | null;
}

/**
 * Stores the values of a changed form as a draft, and restores the changed fields when the form appears. A navigation
 * asks before changes are lost (`UnsavedChangesPrompt`).
 */
export function useStoredDraft<Values extends FieldValues>(
  form: Pick<UseFormReturn<Values>, 'subscribe' | 'reset'>,
  change: (changes: Partial<Values>) => void,
  { draft, initial, scope = 'dialog' }: DraftOptions<Values>,
) {
  /** The saved values. The form is dirty if it differs from them. */
  const saved = useRef(initial);
  const isDirty = useRef(false);
  const [restored, setRestored] = useState<{ isOutdated: boolean } | null>(null);

  const restore = useEffectEvent(() => {
    const storedDraft = initial && draft !== undefined ? restoreDraft(draft, initial) : null;
    if (!storedDraft) return;
    setRestored({ isOutdated: storedDraft.isOutdated });
    change(storedDraft.values);
  });
  useEffect(() => restore(), []);
  useEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback: ({ values }) => {
          isDirty.current = saved.current !== undefined && !isEqual(values, saved.current);
          if (draft === undefined) return;
          if (isDirty.current && saved.current) saveDraft(draft, saved.current, values);
          else removeDraft(draft);
        },
      }),
    [form.subscribe, draft],
  );

  const { reset: resetForm } = form;
  /** Shows the given values, which then count as saved. The callback above therefore removes the draft. */
  const reset = useCallback(
    (next: Values) => {
      saved.current = next;
      setRestored(null);
      resetForm(next);
    },
    [resetForm],
  );
  const discard = useCallback(() => saved.current && reset(saved.current), [reset]);
  useEffect(
    () => (scope === null ? undefined : trackForm({ scope, isDirty: () => isDirty.current, discard })),
    [scope, discard],
  );
  return {
    saved,
    reset,
    /** Set while the form shows a restored draft. */
    restored: restored && { ...restored, onDiscard: discard },
  };
}
