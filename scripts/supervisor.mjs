/** Keeps processes running: one prefixed log, restarts with back-off, one drain for all. */
import { spawn } from 'node:child_process';

/** sysexits.h EX_CONFIG: the process said that starting it again is of no use. */
const EX_CONFIG = 78;
const FIRST_DELAY = 200;
const LONGEST_DELAY = 10_000;
/** A process that lived this long starts again at the first delay. */
const SETTLED = 30_000;
const DRAIN = 10_000;

const colours = ['\x1b[36m', '\x1b[35m', '\x1b[33m'];
const plain = '\x1b[0m';

/** Prints whole lines behind the process's name. */
function printLines(stream, prefix, target) {
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    for (const line of lines) target.write(`${prefix}${line}\n`);
  });
  stream.once('end', () => rest && target.write(`${prefix}${rest}\n`));
}

/**
 * @param programs `{ name, args }` of Node programs
 * @param onMessage what a program sends to its parent
 * @param onEnd called once with the exit code when all are gone
 */
export function supervise(programs, { env, cwd, onMessage, onEnd }) {
  const running = new Map();
  let exitCode;
  const width = Math.max(...programs.map(({ name }) => name.length));

  function launch({ name, args }, index, delay) {
    const started = Date.now();
    const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    running.set(name, child);
    const colour = process.stdout.isTTY ? colours[index % colours.length] : '';
    const prefix = `${colour}${name.padEnd(width)} |${colour && plain} `;
    printLines(child.stdout, prefix, process.stdout);
    printLines(child.stderr, prefix, process.stderr);
    child.on('message', (message) => onMessage(name, message));
    child.once('exit', (code, signal) => {
      running.delete(name);
      if (exitCode !== undefined) {
        if (running.size === 0) onEnd(exitCode);
        return;
      }
      if (code === EX_CONFIG) {
        stop(EX_CONFIG);
        return;
      }
      const next = Date.now() - started > SETTLED ? FIRST_DELAY : delay;
      process.stderr.write(`${prefix}terminou (${signal ?? code}); nova tentativa em ${next} ms\n`);
      setTimeout(() => {
        if (exitCode === undefined) launch({ name, args }, index, Math.min(next * 2, LONGEST_DELAY));
      }, next);
    });
  }

  function stop(code) {
    if (exitCode !== undefined) return;
    exitCode = code;
    if (running.size === 0) {
      onEnd(code);
      return;
    }
    for (const child of running.values()) child.kill('SIGTERM');
    setTimeout(() => {
      for (const child of running.values()) child.kill('SIGKILL');
    }, DRAIN).unref();
  }

  for (const [index, program] of programs.entries()) launch(program, index, FIRST_DELAY);
  /** Ends one program, which starts it again. */
  const end = (name) => running.get(name)?.kill('SIGTERM');
  return { stop, end };
}
