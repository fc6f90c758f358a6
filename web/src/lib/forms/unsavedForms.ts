/** A form on screen. Any navigation closes forms of scope `dialog`; a new path or tab also closes those of scope `page`. */
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

/** Lists the forms whose changes a navigation loses. `changesTab` is false if the path and the tab stay the same. */
export const listUnsavedForms = ({ changesTab }: { changesTab: boolean }): TrackedForm[] =>
  [...trackedForms].filter(({ scope, isDirty }) => (changesTab || scope === 'dialog') && isDirty());
