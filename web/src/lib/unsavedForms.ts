/** A form on screen. `dialog`: any navigation closes it; `page`: only another path does. */
export interface TrackedForm {
  scope: 'dialog' | 'page';
  isDirty: () => boolean;
  /** Discards the changes. */
  discard: () => void;
}

const forms = new Set<TrackedForm>();

/** Registers a form whose changes a navigation would lose. @returns unregisters it */
export function trackForm(form: TrackedForm): () => void {
  forms.add(form);
  return () => forms.delete(form);
}

/** The forms whose changes a navigation would lose. @param changesPath whether the path changes, not only the query */
export const unsavedForms = (changesPath: boolean): TrackedForm[] =>
  [...forms].filter(({ scope, isDirty }) => (changesPath || scope === 'dialog') && isDirty());
