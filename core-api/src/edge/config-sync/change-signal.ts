/** Tells the primary when to poll the database for changes of the configuration. */
export interface ChangeSignal {
  /** Pause before the next poll, ms. */
  readonly pauseMs: number;
  /** @param onChange called with the maximum time until the next poll, ms. A poll that is due earlier is not delayed */
  watch(onChange: (pauseMs: number) => void): void;
  close(): void;
}

/** Pause without a source of signals, ms. On average, a save in the console waits for half of this time. */
export const POLL_PAUSE_MS = 30;
/** Longest pause with a source of signals, ms. Polls continue, because a restore or a pooler may prevent signals. */
export const MAX_POLL_PAUSE_MS = 500;
