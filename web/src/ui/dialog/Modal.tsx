import { ChakraProvider, Dialog, Portal } from '@chakra-ui/react';
import { X } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { dialogSystem } from '../theme/system';
import { uiMessages } from '../ui.messages';
import styles from './Modal.module.css';

export interface ModalProps {
  title: string;
  /** Largest width in pixels (product §9), or the whole screen. */
  width: number | 'full';
  /** `side`: as high as the window, at its right edge. */
  placement?: 'center' | 'side';
  onClose: () => void;
  /** A secret's dialog closes only by its button. */
  dismissable?: boolean;
  /** Where the focus starts; by default the first field that can be changed, else the first control. */
  initialFocus?: RefObject<HTMLElement | null>;
  /** `alertdialog` for a question that must be answered. */
  role?: 'dialog' | 'alertdialog';
  children: ReactNode;
}

/** Gives the focus back to what opened a dialog, else to the row that took its row's place, else to the page. */
function returnFocus(opener: Element | null, index: string | null | undefined): void {
  const { activeElement, body } = document;
  if (activeElement !== null && activeElement !== body) return;
  const connected = opener instanceof HTMLElement && opener !== body && opener.isConnected;
  const target = connected
    ? opener
    : (document.querySelector<HTMLElement>(`[data-index="${index}"] button`) ?? document.getElementById('content'));
  target?.focus({ preventScroll: connected });
}

/** Until the dialog below has taken its own focus back. */
const NESTED_DELAY_MS = 50;

/** The focus returns when the dialog leaves; one that was opened from another dialog lets that one go first. */
function useFocusReturn(): void {
  // Read while rendering: when effects run, the dialog has the focus already.
  const [opener] = useState(() => document.activeElement);
  useEffect(() => {
    const index = opener?.closest('[data-index]')?.getAttribute('data-index');
    const nested = opener?.closest('[role$="dialog"]') != null;
    return () => {
      setTimeout(returnFocus, nested ? NESTED_DELAY_MS : 0, opener, index);
    };
  }, [opener]);
}

/** A notification over the dialog stays a thing to read and to close, and touching it closes no dialog. */
const persistentElements = [() => document.querySelector('[data-live-announcer]')];
/** Escape empties a search in a dialog; the next one closes the dialog. */
function keepWhileSearching(event: KeyboardEvent): void {
  const { target } = event;
  if (target instanceof HTMLInputElement && target.type === 'search' && target.value !== '') event.preventDefault();
}
/** Focus that something else takes (an extension, a script) is no wish to close; the trap brings it back. */
const keepOpen = (event: Event): void => event.preventDefault();
const FIELD = ':is(input, textarea, select):not([readonly], [disabled])';

/** A dialog over the page. Mount it to open, unmount it to close. (`id`s must not reach Dialog.Content: it would never close.) */
export function Modal({
  title,
  width,
  placement = 'center',
  onClose,
  dismissable = true,
  initialFocus,
  role = 'dialog',
  children,
}: ModalProps) {
  useFocusReturn();
  const content = useRef<HTMLDivElement>(null);
  const size = width === 'full' ? 'full' : placement === 'side' ? 'cover' : 'md';
  return (
    <ChakraProvider value={dialogSystem}>
      <Dialog.Root
        open
        role={role}
        size={size}
        closeOnInteractOutside={dismissable && role === 'dialog'}
        closeOnEscape={dismissable}
        onEscapeKeyDown={keepWhileSearching}
        onFocusOutside={keepOpen}
        restoreFocus={false}
        persistentElements={persistentElements}
        initialFocusEl={() => initialFocus?.current ?? content.current?.querySelector<HTMLElement>(FIELD) ?? null}
        onOpenChange={({ open }) => {
          // A dialog below that closes asks those above it to close, too: a secret's stays.
          if (!open && dismissable) onClose();
        }}
      >
        <Portal>
          <Dialog.Backdrop />
          <Dialog.Positioner>
            <Dialog.Content
              ref={content}
              maxW={width === 'full' ? undefined : `${width}px`}
              data-floating={size === 'md' || undefined}
            >
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
    </ChakraProvider>
  );
}
