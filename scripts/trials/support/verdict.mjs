/** What a trial found: one line for each claim, and the exit code. */
let failures = 0;

/** @param {boolean} holds whether the claim does @param {string} figure what was seen */
export function claim(holds, what, figure = '') {
  if (!holds) failures += 1;
  process.stdout.write(`${holds ? 'ok  ' : 'FAIL'} ${what}${figure && `: ${figure}`}\n`);
}

/** Ends the trial. */
export function conclude() {
  process.stdout.write(failures === 0 ? 'Tudo se sustenta.\n' : `${failures} não se sustenta(m).\n`);
  process.exit(failures === 0 ? 0 : 1);
}
