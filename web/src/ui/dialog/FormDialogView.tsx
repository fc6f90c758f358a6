import { Button, Dialog } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import type { UserError } from '../../lib/userError';
import type { Conflict } from '../form/conflict';
import { Form, SubmitButton } from '../form/Form';
import type { FieldErrors } from '../form/formFields';
import type { RestoredDraftProps } from '../form/RestoredDraft';
import { uiMessages } from '../ui.messages';
import { Modal, type ModalProps } from './Modal';
import styles from './Modal.module.css';

interface FormDialogProps extends Pick<ModalProps, 'title' | 'width' | 'onClose' | 'initialFocus'> {
  /** A sentence above the fields. */
  description?: string;
  submitLabel?: string;
  cancelLabel?: string;
  /** The result of `useDraftForm`. */
  form: {
    submit: () => void;
    pending: boolean;
    errors: FieldErrors;
    failure: UserError | null;
    restored: RestoredDraftProps | null;
    conflict?: Conflict | null;
  };
  /** Disables the main button until something is chosen. */
  disabled?: boolean;
  /** Shown beside the buttons, in sight while the fields scroll. */
  note?: ReactNode;
  /** Fields, stacked. */
  children: ReactNode;
}

/** A form in a dialog. It stays open until the save succeeded; closing it with unsaved changes asks first. */
export default function FormDialogView({
  description,
  submitLabel = uiMessages.save,
  cancelLabel = uiMessages.cancel,
  form: { submit, pending, errors, failure, restored, conflict },
  disabled,
  note,
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
          {note && <div className={styles.note}>{note}</div>}
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
