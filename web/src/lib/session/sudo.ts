import { createStore, useStore } from '../store';

/** The question for the password. Every call that requires the password waits for its answer. */
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

/** The open question for the password, or null. */
export const useSudoRequest = (): SudoRequest | null => useStore(currentRequest);
