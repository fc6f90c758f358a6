/** Tells the primary when to poll the database for changes of the configuration. */
export interface ChangeSignal {
  /** Pause before the next poll, ms. */
  readonly pauseMs: number;
  /** @param onChange called with the longest pause until the next poll, ms; an earlier poll keeps its time */
  watch(onChange: (pauseMs: number) => void): void;
  close(): void;
}

/** Pause without a source of signals, ms. On average, a save in the console waits for half of this time. */
export const POLL_PAUSE_MS = 30;
/** Longest pause with a source of signals, ms. A database that was restored or is behind a pooler sends no signals. */
export const MAX_POLL_PAUSE_MS = 500;
