import { createStore, useStore } from '../store';
import { watchSession } from './session';

/** The question for the password. Every call that requires the password waits for its answer. */
interface SudoRequest {
  answer: (isConfirmed: boolean) => void;
}

const currentRequest = createStore<SudoRequest | null>(null);
let pendingConfirmation: Promise<boolean> | null = null;

/**
 * Asks for the password in a dialog over the current screen. Further calls wait for this dialog, too.
 * @returns false if the user closes the dialog, or the session ends or changes
 */
export function askForPassword(): Promise<boolean> {
  pendingConfirmation ??= new Promise<boolean>((resolve) => {
    const answer = (isConfirmed: boolean) => {
      unwatch();
      pendingConfirmation = null;
      currentRequest.set(null);
      resolve(isConfirmed);
    };
    // The next session must not repeat the calls of this one.
    const unwatch = watchSession(() => answer(false));
    currentRequest.set({ answer });
  });
  return pendingConfirmation;
}

/** The open question for the password, or null. */
export const useSudoRequest = (): SudoRequest | null => useStore(currentRequest);
