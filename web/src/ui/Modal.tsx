import { Dialog, Portal } from '@chakra-ui/react';
import { X } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect } from 'react';
import styles from './Modal.module.css';
import { uiMessages } from './ui.messages';

export interface ModalProps {
  title: string;
  /** Largest width in pixels (product-spec §9), or the whole screen. */
  width: number | 'full';
  onClose: () => void;
  /** A secret's dialog closes only by its button. */
  dismissable?: boolean;
  /** Where the focus starts; by default the first control. */
  initialFocus?: RefObject<HTMLElement | null>;
  /** `alertdialog` for a question that must be answered. */
  role?: 'dialog' | 'alertdialog';
  children: ReactNode;
}

/** Where the focus goes when a dialog leaves: what opened it, else the row that took its row's place, else the page. */
function useFocusReturn(): void {
  useEffect(() => {
    const opener = document.activeElement;
    const index = opener?.closest('[data-index]')?.getAttribute('data-index');
    return () => {
      setTimeout(() => {
        if (document.activeElement !== document.body && document.activeElement !== null) return;
        const target =
          opener instanceof HTMLElement && opener !== document.body && opener.isConnected
            ? opener
            : (document.querySelector<HTMLElement>(`[data-index="${index}"] button`) ??
              document.querySelector<HTMLElement>('#content'));
        target?.focus({ preventScroll: opener?.isConnected });
      });
    };
  }, []);
}

/** A dialog over the page. Mount it to open, unmount it to close. (`id`s must not reach Dialog.Content: it would never close.) */
export function Modal({
  title,
  width,
  onClose,
  dismissable = true,
  initialFocus,
  role = 'dialog',
  children,
}: ModalProps) {
  useFocusReturn();
  return (
    <Dialog.Root
      open
      role={role}
      size={width === 'full' ? 'full' : 'md'}
      closeOnInteractOutside={dismissable && role === 'dialog'}
      closeOnEscape={dismissable}
      restoreFocus={false}
      initialFocusEl={initialFocus ? () => initialFocus.current : undefined}
      onOpenChange={({ open }) => {
        if (!open) onClose();
      }}
    >
      <Portal>
        <Dialog.Backdrop />
        <Dialog.Positioner>
          <Dialog.Content maxW={width === 'full' ? undefined : `${width}px`}>
            <Dialog.Header>
              <Dialog.Title>{title}</Dialog.Title>
            </Dialog.Header>
            {children}
            {dismissable && (
              <button type="button" className={styles.close} aria-label={uiMessages.close} onClick={onClose}>
                <X aria-hidden size={18} />
              </button>
            )}
          </Dialog.Content>
        </Dialog.Positioner>
      </Portal>
    </Dialog.Root>
  );
}
