/** The result of a `send` that waits for an answer of the user. The form keeps its values and is not saved. */
export interface Waiting {
  status: 'waiting';
}

export const WAITING: Waiting = { status: 'waiting' };

export const isWaiting = (result: unknown): result is Waiting => result === WAITING;
