/**
 * Tests load this file with `--require` into programs whose time limits they do not examine, because a busy machine would
 * exceed the limits. `AbortSignal.timeout` waits twenty times as long.
 */
const FACTOR = 20;
const { timeout } = AbortSignal;
AbortSignal.timeout = (ms) => timeout.call(AbortSignal, ms * FACTOR);
