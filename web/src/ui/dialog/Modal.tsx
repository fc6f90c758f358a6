import { Dialog, Drawer, IconButton, Portal } from '@chakra-ui/react';
import { X } from 'lucide-react';
import { type ReactNode, type RefObject, useRef, useState } from 'react';
import { uiMessages } from '../ui.messages';

export interface ModalProps {
  title: string;
  /** Largest width in pixels (product §9), or the whole screen. */
  width: number | 'full';
  /** `side`: as high as the window, at its right edge. */
  placement?: 'center' | 'side';
  onClose: () => void;
  /** False for the dialog of a secret, which only its own button closes. */
  isDismissable?: boolean;
  /** The element that takes the focus. Default: the first field that can be changed, else the first control. */
  initialFocus?: RefObject<HTMLElement | null>;
  /** `alertdialog` for a question that must be answered. */
  role?: 'dialog' | 'alertdialog';
  children: ReactNode;
}

/** The last opener outside of dialogs. It takes the focus if the opener of a dialog was in a dialog that has closed. */
let pageOpener: HTMLElement | null = null;

/** Returns the last button with `data-final-focus` before an element: the button that adds to the element's list. */
const findAddButton = (element: Element): HTMLElement | undefined =>
  [...document.querySelectorAll<HTMLElement>('[data-final-focus]')].findLast(
    (button) => button.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING,
  );

/** Returns the focused element, with its cell, its list, the index of its row and the button that adds to the list. */
function readOpener() {
  const opener = document.activeElement instanceof HTMLElement ? document.activeElement : null;
  if (!opener?.closest('[role$="dialog"]')) pageOpener = opener;
  const row = opener?.closest('[data-index]');
  const list = row?.parentElement;
  const addButton = list && findAddButton(list);
  return { opener, cell: opener?.closest('td, dd'), list, index: row?.getAttribute('data-index'), addButton };
}

/**
 * Returns the element that takes the focus when the dialog closes. The first of these that exists: its opener, the
 * opener's cell, the row that moved into the place of the opener's row, `pageOpener`, the button that adds to
 * the list, a button with `data-final-focus`, the page.
 */
function useFinalFocus(): () => HTMLElement | null {
  // The opener is read while rendering, because when effects run, the dialog already has the focus.
  const [{ opener, cell, list, index, addButton }] = useState(readOpener);
  return () => {
    const canTakeFocus = (element: HTMLElement | null) => element !== document.body && element?.isConnected;
    if (canTakeFocus(opener)) return opener;
    const successor = [cell, list?.querySelector(`[data-index="${index}"]`)].find((element) => element?.isConnected);
    const nextButton = successor?.querySelector('button');
    if (nextButton || canTakeFocus(pageOpener)) return nextButton ?? pageOpener;
    if (addButton?.isConnected) return addButton;
    return document.querySelector<HTMLElement>('[data-final-focus]') ?? document.getElementById('content');
  };
}

/** A notification over the dialog can be read and closed. A click on it does not close the dialog. */
const persistentElements = [() => document.querySelector('[data-live-announcer]')];
/** Escape empties a search in a dialog; the next Escape closes the dialog. */
function keepWhileSearching(event: KeyboardEvent): void {
  const { target } = event;
  if (target instanceof HTMLInputElement && target.type === 'search' && target.value !== '') event.preventDefault();
}
/** An extension or a script that takes the focus must not close the dialog. The focus trap brings the focus back. */
const keepOpen = (event: Event): void => event.preventDefault();
/** The second click of a double click on the opener comes within this time. It must not close the dialog. */
const DOUBLE_CLICK_MS = 500;
const FIELD = ':is(input, textarea, select):not([readonly], [disabled])';

/** A dialog over the page. It is open while it is mounted. Its owner mounts it by state or URL. */
export function Modal({
  title,
  width,
  placement = 'center',
  onClose,
  isDismissable = true,
  initialFocus,
  role = 'dialog',
  children,
}: ModalProps) {
  const finalFocus = useFinalFocus();
  const [openedAt] = useState(() => performance.now());
  const content = useRef<HTMLDivElement>(null);
  const isFull = width === 'full';
  // Drawer and dialog are the same dialog of Ark with different recipes.
  const Parts = placement === 'side' ? Drawer : Dialog;
  return (
    <Parts.Root
      open
      role={role}
      size={isFull ? 'full' : 'md'}
      closeOnInteractOutside={isDismissable && role === 'dialog'}
      closeOnEscape={isDismissable}
      onEscapeKeyDown={keepWhileSearching}
      onFocusOutside={keepOpen}
      onPointerDownOutside={(event) => {
        if (performance.now() - openedAt < DOUBLE_CLICK_MS) event.preventDefault();
      }}
      finalFocusEl={finalFocus}
      persistentElements={persistentElements}
      initialFocusEl={() => initialFocus?.current ?? content.current?.querySelector<HTMLElement>(FIELD) ?? null}
      onOpenChange={({ open }) => {
        // When a dialog closes, Ark also closes the dialogs above it. The dialog of a secret stays open.
        if (!open && isDismissable) onClose();
      }}
    >
      <Portal>
        <Parts.Backdrop />
        <Parts.Positioner>
          <Parts.Content
            ref={content}
            maxW={isFull ? undefined : `${width}px`}
            data-layout={isFull ? 'full' : placement}
          >
            <Parts.Header>
              <Parts.Title>{title}</Parts.Title>
            </Parts.Header>
            {children}
            {isDismissable && (
              <Parts.CloseTrigger asChild>
                <IconButton variant="ghost" size="sm" aria-label={uiMessages.close}>
                  <X aria-hidden />
                </IconButton>
              </Parts.CloseTrigger>
            )}
          </Parts.Content>
        </Parts.Positioner>
      </Portal>
    </Parts.Root>
  );
}
