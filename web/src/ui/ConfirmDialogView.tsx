import { Button, Dialog } from '@chakra-ui/react';
import { useRef } from 'react';
import { Alert } from './Alert';
import type { ConfirmDialogProps } from './ConfirmDialog';
import { SubmitButton } from './Form';
import { Modal } from './Modal';
import styles from './Modal.module.css';
import { uiMessages } from './ui.messages';
import { useSubmit } from './useSubmit';

/** Asks before something is destroyed. The focus starts on Cancel. */
export default function ConfirmDialogView({
  title,
  message,
  confirmLabel,
  cancelLabel = uiMessages.cancel,
  width = 400,
  onConfirm,
  onClose,
  fallback = '',
  onFailure,
}: ConfirmDialogProps) {
  const cancel = useRef<HTMLButtonElement>(null);
  const { submit, pending, failure } = useSubmit({ send: onConfirm, fallback, onFailure });
  return (
    <Modal title={title} width={width} role="alertdialog" initialFocus={cancel} onClose={onClose}>
      <Dialog.Body>
        <Dialog.Description className={styles.question}>{message}</Dialog.Description>
        {failure && !onFailure && <Alert>{failure}</Alert>}
      </Dialog.Body>
      <Dialog.Footer>
        <Button ref={cancel} variant="outline" onClick={onClose}>
          {cancelLabel}
        </Button>
        <SubmitButton pending={pending} colorPalette="danger" onClick={submit}>
          {confirmLabel}
        </SubmitButton>
      </Dialog.Footer>
    </Modal>
  );
}
