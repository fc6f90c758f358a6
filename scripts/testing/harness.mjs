/** Test helpers for programs in plain Node (benchmarks, system tests, screenshots), which cannot import TypeScript. */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
require('esbuild-register');
// Without these handlers a signal would skip the `exit` handlers, which end the processes that a program started.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
/** @type {typeof import('./program.js')} */
const program = require('./program.ts');
/** @type {typeof import('./stack.js')} */
const stack = require('./stack.ts');
export const { findFreePort, findFreePorts, Program, waitFor } = program;
export const { ADMINISTRATOR, fastClock, Stack, getFastTime } = stack;

/** Returns the port of a server that listens. @param {import('node:net').Server} server */
export const getPort = (server) => /** @type {import('node:net').AddressInfo} */ (server.address()).port;
