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
/** A reader that stands still must neither stop the programs nor fill the memory: beyond this, what comes is lost. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024;
/** At the end a reader has so long to take what there is. */
const LAST_OUTPUT_MS = 1_000;
const LOOK_MS = 5;

const colours = ['\x1b[36m', '\x1b[35m', '\x1b[33m'];
const plain = '\x1b[0m';

const NEWLINE = 0x0a;

/** On a terminal each line follows the process's name. */
function printLines(stream, prefix, write) {
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    for (const line of lines) write(`${prefix}${line}\n`);
  });
  stream.once('end', () => rest && write(`${prefix}${rest}\n`));
}

/** Elsewhere a log stays what the process wrote: bytes go on as they come, in pieces that end with a line. */
function passBytes(stream, write) {
  let rest = [];
  stream.on('data', (bytes) => {
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    if (end > 0) {
      write(Buffer.concat([...rest, bytes.subarray(0, end)]));
      rest = [];
    }
    if (end < bytes.length) rest.push(bytes.subarray(end));
  });
  stream.once('end', () => rest.length > 0 && write(Buffer.concat([...rest, Buffer.from([NEWLINE])])));
}

/**
 * @param onLost told how many bytes were, once there is room again
 * @returns what writes whole lines to it
 */
function writerTo(target, onLost) {
  let lostBytes = 0;
  // Without a reader the programs go on.
  target.on('error', () => undefined);
  return (lines) => {
    if (target.writableLength + lines.length > MAX_WAITING_BYTES) {
      lostBytes += lines.length;
      return;
    }
    target.write(lines);
    const lost = lostBytes;
    lostBytes = 0;
    if (lost > 0) onLost(lost);
  };
}

/** Both streams go to the same reader, as after `2>&1`: only one of them is written to then, or they tear each other's lines. */
function areOne(stream, other) {
  const [one, two] = [stream, other].map(({ fd }) => fstatSync(fd));
  return one.ino === two.ino && one.dev === two.dev;
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
  /** Programs whose output may still come. */
  const open = new Set();
  const streams = [process.stdout, process.stderr];
  const say = (text) => errors(Buffer.from(text));
  const tellLost = (bytes) => say(`ninguém lia a saída: ${bytes} bytes perdidos\n`);
  const lines = writerTo(process.stdout, tellLost);
  const errors = areOne(...streams) ? lines : writerTo(process.stderr, tellLost);
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
    open.add(child);
    child.once('close', () => open.delete(child));
    const prefix = process.stdout.isTTY ? `${colours[index % colours.length]}${name.padEnd(width)} |${plain} ` : '';
    const pass = prefix ? (stream, write) => printLines(stream, prefix, write) : passBytes;
    if (child.stdout) pass(child.stdout, lines);
    if (child.stderr) pass(child.stderr, errors);
    child.once('exit', (code, signal) => {
      running.delete(name);
      if (exitCode !== undefined) {
        if (running.size === 0) void leave();
        return;
      }
      if (code === EX_CONFIG) {
        stop(EX_CONFIG);
        return;
      }
      const next = Date.now() - started > STABLE_MS ? FIRST_DELAY_MS : delay;
      say(`${prefix || `${name}: `}terminou (${signal ?? code}); nova tentativa em ${next} ms\n`);
      setTimeout(() => {
        if (exitCode === undefined) launch({ name, args }, index, Math.min(next * 2, LONGEST_DELAY_MS));
      }, next);
    });
  }

  async function leave() {
    const end = Date.now() + LAST_OUTPUT_MS;
    const isWritten = () => open.size === 0 && streams.every(({ writableLength }) => writableLength === 0);
    while (!isWritten() && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    onEnd(exitCode);
  }

  function stop(code) {
    if (exitCode !== undefined) return;
    exitCode = code;
    if (running.size === 0) {
      void leave();
      return;
    }
    for (const child of running.values()) child.kill('SIGTERM');
    setTimeout(() => {
      for (const [name, child] of running) {
        say(`${name}: não terminou em ${DRAIN_MS / 1000} s e foi encerrado à força\n`);
        child.kill('SIGKILL');
      }
    }, DRAIN_MS).unref();
  }

  for (const [index, program] of programs.entries()) launch(program, index, FIRST_DELAY_MS);
  /** Ends one program, which starts it again. */
  const end = (name) => running.get(name)?.kill('SIGTERM');
  return { stop, end };
}
