/** `node instance.mjs PORT`: one instance of a service, which drains on SIGTERM as a deploy expects it. */
import { createServer } from 'node:http';

/** A connection that rests for so long is closed: whoever asks by it again can ask elsewhere. */
const REST_MS = 2_000;

let draining = false;
const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    if (draining) response.setHeader('Connection', 'close');
    response.end(String(process.pid));
  });
});
server.listen(Number(process.argv[2]), '127.0.0.1', () => process.stdout.write('listening\n'));

process.once('SIGTERM', () => {
  draining = true;
  // Node would end connections at once by which a request may be on its way.
  const { closeIdleConnections } = server;
  server.closeIdleConnections = () => undefined;
  server.close(() => process.exit(0));
  setTimeout(() => closeIdleConnections.call(server), REST_MS);
});
