/** Tells the primary when to look for changes of the configuration. */
export interface ChangeSignal {
  /** Pause before the next look for changes, ms. */
  readonly pauseMs: number;
  /** @param onChange called when a change may become visible within a shorter pause */
  watch(onChange: (pauseMs: number) => void): void;
  close(): void;
}

/** Pause while nothing tells of changes. A save in the console waits for the edge, on average half of this. */
export const POLL_PAUSE_MS = 30;
/** Pause while changes are told, for those that are not told: of a restored database, or behind a pooler. */
export const MAX_POLL_PAUSE_MS = 500;
