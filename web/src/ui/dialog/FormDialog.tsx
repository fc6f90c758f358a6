import { lazyDialogForWriters } from './lazyDialog';

export const FormDialog = lazyDialogForWriters(() => import('./FormDialogView'));
