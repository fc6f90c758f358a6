import { withDeadline } from './deadline';

/**
 * Creates a queue that runs tasks one at a time, in the order of their calls. A failed task does not affect the next
 * task. A task whose time budget ends before its turn fails without running.
 */
export function createQueue() {
  let lastTask: Promise<void> = Promise.resolve();
  return async function enqueue<T>(task: () => Promise<T>): Promise<T> {
    const previousTask = lastTask;
    let finish = () => {};
    lastTask = new Promise((resolve) => {
      finish = resolve;
    });
    try {
      await withDeadline(() => previousTask, { name: 'turn to write' });
    } catch (error) {
      void previousTask.then(finish); // The next task still waits for the previous task.
      throw error;
    }
    try {
      return await task();
    } finally {
      finish();
    }
  };
}
