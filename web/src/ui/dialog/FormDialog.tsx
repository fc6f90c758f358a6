import { lazyDialog } from './lazyDialog';

/** A form in a dialog. */
export const FormDialog = lazyDialog(() => import('./FormDialogView'));
