/** Checks the version of Node before any other module loads. Old versions must be able to parse this file. */

/** Oldest Node that the packages support. */
const NEEDED = [20, 19];

/** Ends the process with one clear line. */
export function fail(line, code = 1) {
  process.stderr.write(`${line}\n`);
  process.exit(code);
}

export function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])) return;
  fail(`É preciso o Node.js ${NEEDED.join('.')} ou mais novo; este é o ${process.versions.node}.`);
}
