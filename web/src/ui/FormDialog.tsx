import { Button, Dialog } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { Form, SubmitButton } from './Form';
import { Modal, type ModalProps } from './Modal';
import styles from './Modal.module.css';
import { uiMessages } from './ui.messages';
import type { FieldErrors } from './useSubmit';

interface FormDialogProps extends Pick<ModalProps, 'title' | 'width' | 'onClose' | 'initialFocus'> {
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

/** A form in a dialog. It stays open, with values and focus, until the save succeeded; closing it with something typed asks first (`useDraft`). */
export function FormDialog({
  submitLabel,
  onSubmit,
  pending,
  errors,
  failure,
  disabled,
  children,
  ...modal
}: FormDialogProps) {
  return (
    <Modal {...modal}>
      <Form className={styles.form} onSubmit={onSubmit} errors={errors} failure={failure}>
        <Dialog.Body className={styles.fields}>{children}</Dialog.Body>
        <Dialog.Footer>
          <Button variant="outline" onClick={modal.onClose}>
            {uiMessages.cancel}
          </Button>
          <SubmitButton pending={pending} disabled={disabled}>
            {submitLabel}
          </SubmitButton>
        </Dialog.Footer>
      </Form>
    </Modal>
  );
}
