import { lazyDialog } from './lazyDialog';

/** What somebody else has changed meanwhile, and whose changes stay. */
export const ConflictDialog = lazyDialog(() => import('./ConflictDialogView'));
