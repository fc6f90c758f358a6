import { createStore, useStore } from './store';

/** A call that waits until the person has given the password again. */
interface SudoRequest {
  answer: (isConfirmed: boolean) => void;
}

const current = createStore<SudoRequest | null>(null);
let pending: Promise<boolean> | null = null;

/**
 * Asks for the password in a dialog over the current screen. Calls that are refused meanwhile wait for the same dialog.
 * @returns false if the person closes it
 */
export function askForPassword(): Promise<boolean> {
  pending ??= new Promise<boolean>((resolve) => {
    current.set({
      answer: (isConfirmed) => {
        pending = null;
        current.set(null);
        resolve(isConfirmed);
      },
    });
  });
  return pending;
}

/** The call that waits for the password, or null. */
export const useSudoRequest = (): SudoRequest | null => useStore(current);
