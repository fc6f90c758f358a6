/** Test helpers for programs in plain Node (benchmarks, system tests, screenshots), which cannot import TypeScript. */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
require('esbuild-register');
// A signal calls `process.exit`, so that the `exit` handlers run, which end the processes that a program started.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
/** @type {typeof import('./program.js')} */
const program = require('./program.ts');
/** @type {typeof import('./stack.js')} */
const stack = require('./stack.ts');
export const { freePort, freePorts, Program, waitFor } = program;
export const { ADMINISTRATOR, fastClock, Stack, timeOf } = stack;

/** The port of a server that listens. @param {import('node:net').Server} server */
export const portOf = (server) => /** @type {import('node:net').AddressInfo} */ (server.address()).port;
