/**
 * `node idle-clients.mjs PORT HOST COUNT` opens connections that send one request and then stay open. The process
 * reports the number of open connections to its parent each second, and ends when the parent ends.
 */
import { connect } from 'node:net';

const [port, host, count] = process.argv.slice(2);
/** Number of connections that open at the same time. More connections could overflow the accept queue. */
const BATCH_SIZE = 100;
let openCount = 0;

/** Opens a connection. Resolves at the first bytes of the response, or when the connection fails. */
const connectClient = () =>
  new Promise((resolve) => {
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`));
    socket.once('data', () => {
      openCount += 1;
      socket.once('close', () => {
        openCount -= 1;
      });
      resolve(undefined);
    });
    socket.on('error', () => undefined);
    socket.once('close', resolve);
  });

process.once('disconnect', () => process.exit(0));
setInterval(() => process.send?.({ open: openCount }), 1_000);
for (let clientsLeft = Number(count); clientsLeft > 0; clientsLeft -= BATCH_SIZE) {
  await Promise.all(Array.from({ length: Math.min(BATCH_SIZE, clientsLeft) }, connectClient));
}
process.send?.({ open: openCount, isComplete: true });
