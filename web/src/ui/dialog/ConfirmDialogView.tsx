import { Dialog } from '@chakra-ui/react';
import { useRef } from 'react';
import type { Failure } from '../../lib/failure';
import { Alert } from '../feedback/Alert';
import { Button } from '../form/Button';
import { SubmitButton } from '../form/Form';
import { useSubmit } from '../form/useSubmit';
import { uiMessages } from '../ui.messages';
import { Modal } from './Modal';
import styles from './Modal.module.css';

interface ConfirmDialogProps {
  title: string;
  message: string;
  /** Names the act: "Remover". */
  confirmLabel: string;
  cancelLabel?: string;
  /** product §9: 400, keys 500. */
  width?: number;
  /** The act. It closes by itself what it opened; when it throws, the dialog stays and says why. */
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
  fallback?: string;
  /** Where product §8 wants failures as a notification. */
  onFailure?: (failure: Failure) => void;
}

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
        {failure && !onFailure && <Alert note={failure.note}>{failure.sentence}</Alert>}
      </Dialog.Body>
      <Dialog.Footer>
        <Button ref={cancel} variant="outline" onClick={onClose}>
          {cancelLabel}
        </Button>
        <SubmitButton pending={pending} danger onClick={submit}>
          {confirmLabel}
        </SubmitButton>
      </Dialog.Footer>
    </Modal>
  );
}
