import { lazyDialog } from './lazyDialog';

export interface ConfirmDialogProps {
  title: string;
  message: string;
  /** Names the act: "Remover". */
  confirmLabel: string;
  cancelLabel?: string;
  /** product-spec §9: 400, keys 500. */
  width?: number;
  /** The act. It closes by itself what it opened; when it throws, the dialog stays and says why. */
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
  fallback?: string;
  /** Where the spec wants failures as a notification. */
  onFailure?: (sentence: string) => void;
}

/** Asks before something is destroyed. */
export const ConfirmDialog = lazyDialog<ConfirmDialogProps>(() => import('./ConfirmDialogView'));
