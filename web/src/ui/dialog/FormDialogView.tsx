import { Button, Dialog } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { Form, type FormState, SubmitButton } from '../form/Form';
import { uiMessages } from '../ui.messages';
import { Modal, type ModalProps } from './Modal';

interface FormDialogProps
  extends Pick<ModalProps, 'title' | 'onClose' | 'initialFocus'>,
    Partial<Pick<ModalProps, 'width'>> {
  description?: string;
  submitLabel?: string;
  cancelLabel?: string;
  form: FormState;
  /** Disables the submit button, for example until something is chosen. */
  disabled?: boolean;
  /** Shown beside the buttons, which stay visible while the fields scroll. */
  note?: ReactNode;
  children: ReactNode;
}

/** A form in a dialog, which stays open until the save succeeded. Closing it with unsaved changes asks first. */
export default function FormDialogView({
  description,
  submitLabel = uiMessages.save,
  cancelLabel = uiMessages.cancel,
  form,
  disabled,
  note,
  width = 500,
  children,
  ...modal
}: FormDialogProps) {
  return (
    <Modal width={width} {...modal}>
      <Form
        display="flex"
        flex="1"
        flexDirection="column"
        gap="0"
        mt="0"
        css={{ '& > :is([role=alert], [role=status])': { margin: { base: '0 16px 16px', md: '0 24px 16px' } } }}
        form={form}
      >
        <Dialog.Body display="grid" alignContent="start" gap="4">
          {description && <Dialog.Description>{description}</Dialog.Description>}
          {children}
        </Dialog.Body>
        <Dialog.Footer>
          {note && <div>{note}</div>}
          <Button variant="outline" onClick={modal.onClose}>
            {cancelLabel}
          </Button>
          <SubmitButton isPending={form.isPending} disabled={disabled}>
            {submitLabel}
          </SubmitButton>
        </Dialog.Footer>
      </Form>
    </Modal>
  );
}
