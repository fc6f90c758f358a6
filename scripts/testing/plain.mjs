/** The harness for programs in plain Node (benches, trials, screenshots), which cannot import TypeScript by themselves. */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
require('esbuild-register');
// A program that is asked to end runs its `exit` handlers: they end what it started.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
export const { freePort, freePorts, Program, until } = require('./program.ts');
export const { ADMINISTRATOR, Stack } = require('./stack.ts');
