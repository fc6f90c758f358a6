/** A form with something typed. `dialog`: any navigation closes it; `page`: only leaving the screen does. */
export interface DirtyForm {
  scope: 'dialog' | 'page';
  isDirty: () => boolean;
  discard: () => void;
}

const forms = new Set<DirtyForm>();

/** Adds a form to those that leaving would lose. Returns the way to take it out. */
export function watchForm(form: DirtyForm): () => void {
  forms.add(form);
  return () => forms.delete(form);
}

/** The forms that a navigation would lose. @param leavesScreen whether the path changes, not only the query */
export const formsLost = (leavesScreen: boolean): DirtyForm[] =>
  [...forms].filter(({ scope, isDirty }) => (leavesScreen || scope === 'dialog') && isDirty());
