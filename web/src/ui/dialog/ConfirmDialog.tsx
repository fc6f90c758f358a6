import { lazyDialogForWriters } from './lazyDialog';

/** Asks before something is destroyed or replaced. */
export const ConfirmDialog = lazyDialogForWriters(() => import('./ConfirmDialogView'));
