/** Checks the version of Node before any other module loads. Old versions must be able to parse this file. */

/** Oldest Node that the packages support. */
const MIN_VERSION = [20, 19];

/** Ends the process with one line on the standard error. */
export function fail(line, code = 1) {
  process.stderr.write(`${line}\n`);
  process.exit(code);
}

export function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > MIN_VERSION[0] || (major === MIN_VERSION[0] && minor >= MIN_VERSION[1])) return;
  fail(`É preciso o Node.js ${MIN_VERSION.join('.')} ou mais novo; este é o ${process.versions.node}.`);
}
