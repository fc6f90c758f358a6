/** A form on screen. Any navigation closes forms of scope `dialog`, and a new path also those of scope `page`. */
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

/** Lists the forms whose changes a navigation loses. `changesPath` is false if only the query of the URL changes. */
export const listUnsavedForms = ({ changesPath }: { changesPath: boolean }): TrackedForm[] =>
  [...trackedForms].filter(({ scope, isDirty }) => (changesPath || scope === 'dialog') && isDirty());
