/** Whether a dialog is over the page. Then shortcuts and the focus belong to the dialog. */
export const isDialogOpen = (): boolean => document.querySelector('[role$="dialog"]') !== null;
