/**
 * Makes `AbortSignal.timeout` wait 20 times as long. A test loads this file with `--require` into a program whose limits a
 * busy machine would exceed, if the test is not about these limits.
 */
const FACTOR = 20;
const { timeout } = AbortSignal;
AbortSignal.timeout = (ms) => timeout.call(AbortSignal, ms * FACTOR);
