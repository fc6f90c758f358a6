import { Button, Dialog } from '@chakra-ui/react';
import { useRef } from 'react';
import type { OutcomeTexts } from '../../lib/notifications/notification';
import { Alert } from '../feedback/Alert';
import { SubmitButton } from '../form/Form';
import { useAction } from '../form/useAction';
import { uiMessages } from '../ui.messages';
import { Modal } from './Modal';

interface ConfirmDialogProps extends Partial<Pick<OutcomeTexts, 'failureMessage' | 'isFailureNotified'>> {
  /** Default: the title of a removal. */
  title?: string;
  message: string;
  confirmLabel?: string;
  cancelLabel?: string;
  /** False if the action can be undone. */
  isDanger?: boolean;
  /** Width in pixels. Dialogs about keys have 500 (product §9). */
  width?: number;
  /** The action, which also closes the dialog. When it throws, the dialog stays open, and the error is shown. */
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
}

/** The content of `ConfirmDialog`. The focus starts on Cancel if `isDanger`, else on the action. */
export default function ConfirmDialogView({
  title = uiMessages.removal,
  message,
  confirmLabel = uiMessages.remove,
  cancelLabel = uiMessages.cancel,
  isDanger = true,
  width = 400,
  onConfirm,
  onClose,
  failureMessage = '',
  isFailureNotified = false,
}: ConfirmDialogProps) {
  const initialFocus = useRef<HTMLButtonElement>(null);
  const { run, isPending, failure } = useAction({ send: onConfirm, failureMessage, isFailureNotified });
  return (
    <Modal title={title} width={width} role="alertdialog" initialFocus={initialFocus} onClose={onClose}>
      <Dialog.Body>
        <Dialog.Description overflowWrap="anywhere" mb="1">
          {message}
        </Dialog.Description>
        {failure && !isFailureNotified && <Alert note={failure.note}>{failure.message}</Alert>}
      </Dialog.Body>
      {/* The dialog may open by Enter. While the key stays down, its repetitions must not confirm. */}
      <Dialog.Footer onKeyDown={(event) => event.repeat && event.key === 'Enter' && event.preventDefault()}>
        <Button ref={isDanger ? initialFocus : undefined} variant="outline" onClick={onClose}>
          {cancelLabel}
        </Button>
        <SubmitButton ref={isDanger ? undefined : initialFocus} isPending={isPending} isDanger={isDanger} onClick={run}>
          {confirmLabel}
        </SubmitButton>
      </Dialog.Footer>
    </Modal>
  );
}
