import { createStore, useStore } from '../store';
import { isAbort, type ServerText, toUserError, type UserError } from '../userError';

/** `neutral` is for a question, which reports neither a success nor a failure. */
type NotificationColor = 'success' | 'error' | 'neutral';

export interface Notification {
  id: number;
  text: string;
  /** Text of the second line. */
  note?: string;
  /** A button for the next action. */
  action?: { label: string; run: () => void };
  color: NotificationColor;
  timeoutMs: number;
}

/** The texts of the outcome of a call. */
export interface OutcomeTexts {
  success?: string;
  /** Message of product §8 for a failure without a message of the server. */
  failureMessage: string;
  /** The field of the server's error that becomes the message. Product §8 names the forms that show `details`. */
  messageFrom?: ServerText;
  /** Whether a failure is shown as a notification. The default is true in `useAction`, and false elsewhere. */
  isFailureNotified?: boolean;
}

const currentNotification = createStore<Notification | null>(null);
let lastId = 0;

/** Shows the global notification (product §3, §9: success and 4000 ms by default); a new notification replaces it. */
export function notify(
  text: string,
  { color = 'success', timeoutMs = 4000, note, action }: Partial<Omit<Notification, 'id' | 'text'>> = {},
): void {
  lastId += 1;
  currentNotification.set({ id: lastId, text, color, timeoutMs, note, action });
}

export const notifyError = ({ message, note }: UserError): void => notify(message, { color: 'error', note });

/** Handles the failure of a call: shows it as the global notification, unless the call was aborted. */
export const notifyFailure =
  (failureMessage: string, messageFrom?: ServerText) =>
  (error: unknown): void => {
    if (!isAbort(error)) notifyError(toUserError(error, failureMessage, messageFrom));
  };

export const hideNotification = (): void => currentNotification.set(null);

/** The notification on screen, or null. */
export const useNotification = (): Notification | null => useStore(currentNotification);
