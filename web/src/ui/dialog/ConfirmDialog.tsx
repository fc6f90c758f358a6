import { lazyWriterDialog } from './lazyDialog';

/** Asks before something is destroyed or replaced. */
export const ConfirmDialog = lazyWriterDialog(() => import('./ConfirmDialogView'));
