/** A form on screen. Any navigation closes a form with the scope `dialog`. Only a new path closes one with `page`. */
export interface TrackedForm {
  scope: 'dialog' | 'page';
  isDirty: () => boolean;
  discard: () => void;
}

const trackedForms = new Set<TrackedForm>();

/** Registers a form whose changes a navigation would lose. @returns a function that unregisters the form */
export function trackForm(form: TrackedForm): () => void {
  trackedForms.add(form);
  return () => trackedForms.delete(form);
}

/** The forms whose changes a navigation would lose. @param changesPath whether the path changes, not only the query */
export const unsavedForms = (changesPath: boolean): TrackedForm[] =>
  [...trackedForms].filter(({ scope, isDirty }) => (changesPath || scope === 'dialog') && isDirty());
