import { lazyWriterDialog } from './lazyDialog';

/** A form in a dialog. */
export const FormDialog = lazyWriterDialog(() => import('./FormDialogView'));
