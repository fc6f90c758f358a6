import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Upstream } from '../types';

/** Answers every request at once and closes a connection that was idle for `closesAfterMs`, whatever the main loop does. */
const SERVER = `
const { createServer } = require('node:net');
const { parentPort, workerData } = require('node:worker_threads');
const server = createServer((socket) => {
  let closing;
  socket.on('error', () => socket.destroy());
  socket.on('data', (bytes) => {
    if (!/^[A-Z]+ [^ ]+ HTTP/.test(bytes.toString('latin1'))) return;
    clearTimeout(closing);
    socket.write('HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nok');
    closing = setTimeout(() => socket.destroy(), workerData);
  });
});
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

/** An upstream on a thread of its own. */
export async function startUpstreamThread(
  closesAfterMs: number,
): Promise<{ upstream: Upstream; stop(): Promise<void> }> {
  const worker = new Worker(SERVER, { eval: true, workerData: closesAfterMs });
  const [port]: number[] = await once(worker, 'message');
  if (port === undefined) throw new Error('no port');
  return {
    upstream: { host: '127.0.0.1', port, tls: false, authority: `127.0.0.1:${port}` },
    async stop() {
      await worker.terminate();
    },
  };
}

/** Holds up this thread, its event loop with it. */
export function block(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
