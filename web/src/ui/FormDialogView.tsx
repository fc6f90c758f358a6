import { Button, Dialog } from '@chakra-ui/react';
import { Form, SubmitButton } from './Form';
import type { FormDialogProps } from './FormDialog';
import { Modal } from './Modal';
import styles from './Modal.module.css';
import { uiMessages } from './ui.messages';

/** A form in a dialog. It stays open, with values and focus, until the save succeeded; closing it with something typed asks first (`useDraft`). */
export default function FormDialogView({
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
