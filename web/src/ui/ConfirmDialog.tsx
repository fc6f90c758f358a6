import { Button, Dialog } from '@chakra-ui/react';
import { useRef } from 'react';
import { Alert } from './Alert';
import { SubmitButton } from './Form';
import { Modal } from './Modal';
import styles from './Modal.module.css';
import { uiMessages } from './ui.messages';
import { useSubmit } from './useSubmit';

interface ConfirmDialogProps {
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

/** Asks before something is destroyed. The focus starts on Cancel. */
export function ConfirmDialog({
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
