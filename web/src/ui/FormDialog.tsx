import { lazy, type ReactNode, Suspense } from 'react';
import type { ModalProps } from './Modal';
import type { FieldErrors } from './useSubmit';

const View = lazy(() => import('./FormDialogView'));

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

/** A form in a dialog. Loaded with the first dialog: the first paint of a screen has none. */
export const FormDialog = (props: FormDialogProps) => (
  <Suspense fallback={null}>
    <View {...props} />
  </Suspense>
);
