/**
 * Makes `AbortSignal.timeout` wait 20 times as long. A test that is not about these time limits loads this file with
 * `--require` into a program that would exceed them on a busy machine.
 */
const FACTOR = 20;
const { timeout } = AbortSignal;
AbortSignal.timeout = (ms) => timeout.call(AbortSignal, ms * FACTOR);
