import { lazyDialog } from './lazyDialog';

/** Asks before something is destroyed. */
export const ConfirmDialog = lazyDialog(() => import('./ConfirmDialogView'));
