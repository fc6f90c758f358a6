import { createStore, useStore } from '../store';

export interface OneTimeSecret {
  title: string;
  /** The text that says that the secret is shown only once. */
  warning: string;
  label: string;
  secret: string;
  copyLabel: string;
  closeLabel: string;
  copiedMessage: string;
  copyFailedMessage: string;
  /** Set if the secret is a list with one entry per line, which can also be downloaded and printed. */
  file?: { name: string; download: string; print: string };
  /** A command with the secret. The dialog shows `header`, the name of a header, as code at the end of the label. */
  example?: { label: string; header?: string; text: string; copyLabel: string };
}

const currentSecret = createStore<OneTimeSecret | null>(null);

/**
 * Shows a secret over the current screen until the button of the dialog closes it. A navigation or a logout does not
 * close the dialog.
 */
export const showSecretOnce = (secret: OneTimeSecret): void => currentSecret.set(secret);

/** Closes the dialog and forgets the secret. */
export const closeSecret = (): void => currentSecret.set(null);

/** The secret on screen, or null. The secret is not kept in storage, cache or URL. */
export const useOneTimeSecret = (): OneTimeSecret | null => useStore(currentSecret);
