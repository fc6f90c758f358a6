import { Dialog } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import type { Failure } from '../../lib/failure';
import { Button } from '../form/Button';
import { Form, SubmitButton } from '../form/Form';
import type { RestoredDraftProps } from '../form/RestoredDraft';
import type { Conflict } from '../form/useConflict';
import type { FieldErrors } from '../form/useSubmit';
import { uiMessages } from '../ui.messages';
import { Modal, type ModalProps } from './Modal';
import styles from './Modal.module.css';

interface FormDialogProps extends Pick<ModalProps, 'title' | 'width' | 'onClose' | 'initialFocus'> {
  /** What it does, above the fields. */
  description?: string;
  submitLabel: string;
  cancelLabel?: string;
  /** As `useForm` gives it. */
  form: {
    submit: () => void;
    pending: boolean;
    errors: FieldErrors;
    failure: Failure | null;
    restored: RestoredDraftProps | null;
    conflict?: Conflict | null;
  };
  /** The main button is off until something is chosen. */
  disabled?: boolean;
  /** Fields, stacked. */
  children: ReactNode;
}

/** A form in a dialog. It stays open, with values and focus, until the save succeeded; closing it with something typed asks first (`useForm`). */
export default function FormDialogView({
  description,
  submitLabel,
  cancelLabel = uiMessages.cancel,
  form: { submit, pending, errors, failure, restored, conflict },
  disabled,
  children,
  ...modal
}: FormDialogProps) {
  return (
    <Modal {...modal}>
      <Form
        className={styles.form}
        onSubmit={submit}
        errors={errors}
        failure={failure}
        restored={restored}
        conflict={conflict}
      >
        <Dialog.Body className={styles.fields}>
          {description && <Dialog.Description>{description}</Dialog.Description>}
          {children}
        </Dialog.Body>
        <Dialog.Footer>
          <Button variant="outline" onClick={modal.onClose}>
            {cancelLabel}
          </Button>
          <SubmitButton pending={pending} disabled={disabled}>
            {submitLabel}
          </SubmitButton>
        </Dialog.Footer>
      </Form>
    </Modal>
  );
}
