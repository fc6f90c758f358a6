import { lazyDialog } from './lazyDialog';

/** Asks before something is destroyed or replaced. */
export const ConfirmDialog = lazyDialog(() => import('./ConfirmDialogView'));
