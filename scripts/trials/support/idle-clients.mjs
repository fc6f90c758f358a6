/**
 * A process of clients that ask once and then stay: `idle-clients.mjs PORT HOST COUNT`. It sends how many are open to its
 * parent each second, and ends with it.
 */
import { connect } from 'node:net';

const [port, host, count] = process.argv.slice(2);
/** So many are on their way at once: an accept queue is no subject here. */
const AT_ONCE = 100;
let open = 0;

/** Resolves once the first answer is whole, or when there is none. */
const arrive = () =>
  new Promise((resolve) => {
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`));
    socket.once('data', () => {
      open += 1;
      socket.once('close', () => {
        open -= 1;
      });
      resolve();
    });
    socket.on('error', () => undefined);
    socket.once('close', resolve);
  });

process.once('disconnect', () => process.exit(0));
setInterval(() => process.send?.({ open }), 1_000);
for (let left = Number(count); left > 0; left -= AT_ONCE) {
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, left) }, arrive));
}
process.send?.({ open, isComplete: true });
