import type { ReactNode } from 'react';
import { lazyDialog } from './lazyDialog';
import type { ModalProps } from './Modal';
import type { FieldErrors } from './useSubmit';

export interface FormDialogProps extends Pick<ModalProps, 'title' | 'width' | 'onClose' | 'initialFocus'> {
  submitLabel: string;
  /** As `useSubmit` gives them. */
  onSubmit: () => void;
  pending: boolean;
  errors: FieldErrors;
  failure: string | null;
  /** The main button is off until something is chosen. */
  disabled?: boolean;
  /** Fields, stacked. */
  children: ReactNode;
}

/** A form in a dialog. */
export const FormDialog = lazyDialog<FormDialogProps>(() => import('./FormDialogView'));
