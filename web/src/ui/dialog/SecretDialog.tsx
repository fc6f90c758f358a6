import { lazyDialog } from './lazyDialog';

/** A secret, this one time. */
export const SecretDialog = lazyDialog(() => import('./SecretDialogView'));
