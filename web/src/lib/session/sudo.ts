import { createStore, useStore } from '../store';

/** A call that waits until the user has entered the password again. */
interface SudoRequest {
  answer: (isConfirmed: boolean) => void;
}

const currentRequest = createStore<SudoRequest | null>(null);
let pendingConfirmation: Promise<boolean> | null = null;

/**
 * Asks for the password in a dialog over the current screen. Further calls wait for this dialog, too.
 * @returns false if the user closes the dialog
 */
export function askForPassword(): Promise<boolean> {
  pendingConfirmation ??= new Promise<boolean>((resolve) => {
    currentRequest.set({
      answer: (isConfirmed) => {
        pendingConfirmation = null;
        currentRequest.set(null);
        resolve(isConfirmed);
      },
    });
  });
  return pendingConfirmation;
}

/** The call that waits for the password, or null. */
export const useSudoRequest = (): SudoRequest | null => useStore(currentRequest);
