import { Worker } from 'node:worker_threads';
import { readManifestInThread } from './manifest-thread';

test('an error that the worker thread reports after the deadline does not end the process', async () => {
  const deadline = new AbortController();
  jest.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(deadline.signal);
  const emit = Worker.prototype.emit;
  const errors: unknown[] = [];
  const uncaughtErrors: unknown[] = [];
  // Threads under Jest cannot load TypeScript, so the thread fails. The mock lets the deadline pass before this error.
  jest.spyOn(Worker.prototype, 'emit').mockImplementation(function (this: Worker, event, ...values) {
    if (event !== 'error') return emit.call(this, event, ...values);
    deadline.abort();
    errors.push(...values);
    try {
      return emit.call(this, event, ...values);
    } catch (error) {
      uncaughtErrors.push(error);
      return false;
    }
  });
  const reading = readManifestInThread(new Uint8Array(), { name: 'crm', host: 'http://127.0.0.1' });
  await expect(reading).rejects.toThrow('aborted');
  expect(errors).toHaveLength(1);
  expect(uncaughtErrors).toEqual([]);
});
