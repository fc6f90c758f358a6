import { lazyDialog } from './lazyDialog';

/** Shows a secret once. */
export const SecretDialog = lazyDialog(() => import('./SecretDialogView'));
