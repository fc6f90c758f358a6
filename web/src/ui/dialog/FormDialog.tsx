import { lazyWriterDialog } from './lazyDialog';

export const FormDialog = lazyWriterDialog(() => import('./FormDialogView'));
