/** `node health.mjs core|bff|edge` is the health check of a container. It exits with 0 if the process is ready. */
import { isIPv6 } from 'node:net';

const LISTENERS = {
  core: ['CORE_HOST', 'CORE_PORT', '3002'],
  bff: ['BFF_HOST', 'BFF_PORT', '3001'],
  edge: ['EDGE_ADMIN_HOST', 'EDGE_ADMIN_PORT', '3003'],
};
const TIMEOUT_MS = 4_000;

const [hostVariable, portVariable, defaultPort] = LISTENERS[process.argv[2]];
const host = process.env[hostVariable] || '127.0.0.1';
const address = `${isIPv6(host) ? `[${host}]` : host}:${process.env[portVariable] || defaultPort}`;
const isReady = await fetch(`http://${address}/readyz`, { signal: AbortSignal.timeout(TIMEOUT_MS) }).then(
  ({ ok }) => ok,
  () => false,
);
process.exit(isReady ? 0 : 1);
