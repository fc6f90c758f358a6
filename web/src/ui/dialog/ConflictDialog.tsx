import { lazyDialog } from './lazyDialog';

/** Asks whose changes stay after another person saved the same entity. */
export const ConflictDialog = lazyDialog(() => import('./ConflictDialogView'));
