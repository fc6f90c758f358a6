import { readdirSync } from 'node:fs';
import { readManifestInThread } from './manifest-thread';

const countThreads = () => readdirSync('/proc/self/task').length;

test('an error of the thread that is delivered after the deadline does not end the process', async () => {
  const deadline = new AbortController();
  jest.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(deadline.signal);
  const before = countThreads();
  const reading = readManifestInThread(new Uint8Array(), { name: 'crm', host: 'http://127.0.0.1' });
  await new Promise(process.nextTick);
  expect(countThreads()).toBe(before + 1);
  // The thread ends with an error, because a thread of Jest cannot load TypeScript. The loop keeps the error undelivered.
  while (countThreads() > before);
  deadline.abort();
  await expect(reading).rejects.toThrow('aborted');
});
