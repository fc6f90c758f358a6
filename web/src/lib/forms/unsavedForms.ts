/** A form on screen. Any navigation closes forms of scope `dialog`; a new path or tab also closes those of `page`. */
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

/** Lists the forms whose changes a navigation loses. `changesScreen`: whether the path or the tab changes. */
export const listUnsavedForms = ({ changesScreen }: { changesScreen: boolean }): TrackedForm[] =>
  [...trackedForms].filter(({ scope, isDirty }) => (changesScreen || scope === 'dialog') && isDirty());
