/** `node instance.mjs PORT` runs one instance of a service. The instance drains on SIGTERM, as deploys require. */
import { createServer } from 'node:http';

/** A drain closes idle connections after this time. Later requests go to another instance. */
const IDLE_TIMEOUT_MS = 2_000;

let isDraining = false;
const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    if (isDraining) response.setHeader('Connection', 'close');
    response.end(String(process.pid));
  });
});
server.listen(Number(process.argv[2]), '127.0.0.1', () => process.stdout.write('listening\n'));

process.once('SIGTERM', () => {
  isDraining = true;
  // Node would close idle connections immediately, although a request may be on its way.
  const { closeIdleConnections } = server;
  server.closeIdleConnections = () => undefined;
  server.close(() => process.exit(0));
  setTimeout(() => closeIdleConnections.call(server), IDLE_TIMEOUT_MS);
});
