/** This module imports no package, because it runs before the packages are installed. */
const REPORT_INTERVAL_MS = 5_000;

/**
 * Prints the title of a step, and its progress every five seconds, because the first installation may take minutes.
 * @template Result
 * @param {string} title
 * @param {() => Promise<Result>} work
 * @param {{ detail?: () => string, everyMs?: number, write?: (text: string) => unknown }} options `detail` returns a text
 * that stands after the seconds
 */
export async function withProgress(title, work, { detail, everyMs = REPORT_INTERVAL_MS, write } = {}) {
  const print = write ?? ((text) => process.stdout.write(text));
  const startedAt = Date.now();
  print(`${title} …\n`);
  const timer = setInterval(() => {
    const seconds = `${Math.round((Date.now() - startedAt) / 1000)} s`;
    print(`${title} … ${[seconds, detail?.()].filter(Boolean).join(', ')}\n`);
  }, everyMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
