/** Tells the primary when to poll the database for changes of the configuration. */
export interface ChangeSignal {
  /** Pause before the next poll, ms. */
  readonly pauseMs: number;
  /** @param onChange called when a change may be visible after a pause that is shorter than the current one, ms */
  watch(onChange: (pauseMs: number) => void): void;
  close(): void;
}

/** Pause while there is no signal, ms. A save in the console waits for half of it on average. */
export const POLL_PAUSE_MS = 30;
/** Longest pause with a signal, ms. Some changes have no event: those of a restored database, and all behind a pooler. */
export const MAX_POLL_PAUSE_MS = 500;
