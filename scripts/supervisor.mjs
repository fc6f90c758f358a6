/** Keeps processes running: one log, restarts with back-off, one drain for all. */
import { spawn } from 'node:child_process';
import { fstatSync } from 'node:fs';
import { environmentOf } from './environment.mjs';

/** sysexits.h EX_CONFIG: the process said that starting it again is of no use. */
const EX_CONFIG = 78;
const FIRST_DELAY_MS = 200;
const LONGEST_DELAY_MS = 10_000;
/** A process that lived this long starts again at the first delay. */
const STABLE_MS = 30_000;
const DRAIN_MS = 10_000;

const colours = ['\x1b[36m', '\x1b[35m', '\x1b[33m'];
const plain = '\x1b[0m';

const NEWLINE = 0x0a;

/** On a terminal each line follows the process's name. */
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

/** Elsewhere a log stays what the process wrote: bytes go on as they come, in pieces that end with a line. */
function passBytes(stream, target) {
  let rest = [];
  stream.on('data', (bytes) => {
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    if (end > 0) {
      target.write(Buffer.concat([...rest, bytes.subarray(0, end)]));
      rest = [];
    }
    if (end < bytes.length) rest.push(bytes.subarray(end));
  });
  stream.once('end', () => rest.length > 0 && target.write(Buffer.concat([...rest, Buffer.from([NEWLINE])])));
}

/**
 * A file takes what each program writes in one call whole, and so does `/dev/null`: they can write to it themselves. A
 * pipe or a socket would mix long lines.
 */
function wayTo(target) {
  const about = fstatSync(target.fd);
  return about.isFile() || (about.isCharacterDevice() && !target.isTTY) ? 'inherit' : 'pipe';
}

/**
 * @param programs `{ name, args }` of Node programs
 * @param onEnd called once with the exit code when all are gone
 */
export function supervise(programs, { env, cwd, onEnd }) {
  const running = new Map();
  let exitCode;
  const width = Math.max(...programs.map(({ name }) => name.length));

  function launch({ name, args }, index, delay) {
    const started = Date.now();
    const child = spawn(process.execPath, args, {
      cwd,
      env: environmentOf(name, env),
      stdio: ['ignore', wayTo(process.stdout), wayTo(process.stderr), 'ipc'],
    });
    running.set(name, child);
    const prefix = process.stdout.isTTY ? `${colours[index % colours.length]}${name.padEnd(width)} |${plain} ` : '';
    for (const [stream, target] of [
      [child.stdout, process.stdout],
      [child.stderr, process.stderr],
    ]) {
      if (!stream) continue;
      if (prefix) printLines(stream, prefix, target);
      else passBytes(stream, target);
    }
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
      const next = Date.now() - started > STABLE_MS ? FIRST_DELAY_MS : delay;
      process.stderr.write(`${prefix || `${name}: `}terminou (${signal ?? code}); nova tentativa em ${next} ms\n`);
      setTimeout(() => {
        if (exitCode === undefined) launch({ name, args }, index, Math.min(next * 2, LONGEST_DELAY_MS));
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
      for (const [name, child] of running) {
        process.stderr.write(`${name}: não terminou em ${DRAIN_MS / 1000} s e foi encerrado à força\n`);
        child.kill('SIGKILL');
      }
    }, DRAIN_MS).unref();
  }

  for (const [index, program] of programs.entries()) launch(program, index, FIRST_DELAY_MS);
  /** Ends one program, which starts it again. */
  const end = (name) => running.get(name)?.kill('SIGTERM');
  return { stop, end };
}
