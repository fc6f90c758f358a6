import { withDeadline } from './deadline';

/**
 * Runs tasks one after the other in the order they came; a failed one does not stop the next. One whose call has no time
 * left before its turn comes fails without having run.
 */
export function createQueue() {
  let last: Promise<void> = Promise.resolve();
  return async function enqueue<T>(task: () => Promise<T>): Promise<T> {
    const before = last;
    let leave = () => {};
    last = new Promise((resolve) => {
      leave = resolve;
    });
    try {
      await withDeadline(() => before, { what: 'turn to write' });
    } catch (error) {
      void before.then(leave);
      throw error;
    }
    try {
      return await task();
    } finally {
      leave();
    }
  };
}
