import { lazyDialog } from './lazyDialog';

export const SecretDialog = lazyDialog(() => import('./SecretDialogView'));
