import { useEffect, useRef, useState } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { removeDraft, restoreDraft, saveDraft } from '../../lib/forms/drafts';
import { isEqual } from '../../lib/forms/isEqual';
import { type TrackedForm, trackForm } from '../../lib/forms/unsavedForms';

interface DraftOptions<Values extends FieldValues> {
  form: Pick<UseFormReturn<Values>, 'subscribe' | 'reset'>;
  /** Name of the draft; null stores nothing. */
  draft: string | null;
  /** The saved values that the form starts with. */
  initial: Values | undefined;
  /** The navigation that loses changes: see `DraftFormOptions`. */
  scope: TrackedForm['scope'] | null;
  /** Sets some fields. */
  change: (changes: Partial<Values>) => void;
}

/**
 * Stores the changed fields of a form as a draft, restores them when the form appears, and makes a navigation ask
 * before they are lost (`UnsavedChangesPrompt`).
 */
export function useStoredDraft<Values extends FieldValues>({
  form,
  draft,
  initial,
  scope,
  change,
}: DraftOptions<Values>) {
  /** The saved values. The form is dirty if it differs from them. */
  const saved = useRef(initial);
  const isDirty = useRef(false);
  const [restored, setRestored] = useState<{ isOutdated: boolean } | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a draft is restored once, when the form appears
  useEffect(() => {
    const storedDraft = initial && draft !== null ? restoreDraft(draft, initial) : null;
    if (!storedDraft) return;
    setRestored({ isOutdated: storedDraft.isOutdated });
    change(storedDraft.values);
  }, []);
  useEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback: ({ values }) => {
          isDirty.current = saved.current !== undefined && !isEqual(values, saved.current);
          if (draft === null) return;
          if (isDirty.current && saved.current) saveDraft(draft, saved.current, values);
          else removeDraft(draft);
        },
      }),
    [form.subscribe, draft],
  );
  useEffect(() => {
    if (scope === null) return;
    const discard = () => {
      isDirty.current = false;
      if (draft !== null) removeDraft(draft);
    };
    return trackForm({ scope, isDirty: () => isDirty.current, discard });
  }, [scope, draft]);

  /** Shows the given values, which then count as saved. */
  const reset = (next: Values) => {
    saved.current = next;
    setRestored(null);
    form.reset(next);
  };
  return {
    saved,
    reset,
    /** Set while the form shows a restored draft. */
    restored: restored && { ...restored, onDiscard: () => saved.current && reset(saved.current) },
  };
}
