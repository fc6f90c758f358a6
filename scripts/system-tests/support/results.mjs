/** Reports the results of a system test: one line for each check, and the exit code. */
let failureCount = 0;

/**
 * Reports one check.
 * @param {boolean} holds
 * @param {string} description sentence that the check confirms
 * @param {string} figure the measured value
 */
export function ok(holds, description, figure = '') {
  if (!holds) failureCount += 1;
  process.stdout.write(`${holds ? 'ok  ' : 'FAIL'} ${description}${figure && `: ${figure}`}\n`);
}

/** Prints the number of failed checks and exits. */
export function finish() {
  process.stdout.write(failureCount === 0 ? 'Tudo se sustenta.\n' : `${failureCount} não se sustenta(m).\n`);
  process.exit(failureCount === 0 ? 0 : 1);
}
