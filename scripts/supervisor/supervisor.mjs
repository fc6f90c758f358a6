/** Restarts processes with back-off, merges their output into one log, and drains them all at a stop. */
import { spawn } from 'node:child_process';
import { fstatSync } from 'node:fs';
import { selectEnvironment } from './environment.mjs';

/** Exit code of a process that a restart cannot help (EX_CONFIG of sysexits.h). */
const EX_CONFIG = 78;
const FIRST_DELAY_MS = 200;
const MAX_DELAY_MS = 10_000;
/** A process that ran for this time restarts with the first delay again. */
const STABLE_MS = 30_000;
const DRAIN_MS = 10_000;
/**
 * Limit of the queue for a reader that hangs. Further output is dropped, so that a hung reader neither stops the
 * programs nor fills the memory.
 */
const MAX_QUEUED_BYTES = 8 * 1024 * 1024;
/** Time for the reader to take the remaining output at the end. */
const LAST_OUTPUT_MS = 5_000;
const POLL_MS = 5;

const colors = ['\x1b[36m', '\x1b[35m', '\x1b[33m'];
const RESET = '\x1b[0m';

const NEWLINE = 0x0a;

/** Forwards lines with a prefix. On a terminal, the prefix is the name of the process. */
function printLines(stream, prefix, write) {
  let remainder = '';
  stream.setEncoding('utf8');
  stream.on('data', (text) => {
    const lines = (remainder + text).split('\n');
    remainder = lines.pop();
    for (const line of lines) write(`${prefix}${line}\n`);
  });
  stream.once('end', () => remainder && write(`${prefix}${remainder}\n`));
}

/** Forwards bytes unchanged, in chunks of complete lines. Used if the output is no terminal. */
function passBytes(stream, write) {
  let pending = [];
  stream.on('data', (bytes) => {
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    if (end > 0) {
      write(Buffer.concat([...pending, bytes.subarray(0, end)]));
      pending = [];
    }
    if (end < bytes.length) pending.push(bytes.subarray(end));
  });
  stream.once('end', () => pending.length > 0 && write(Buffer.concat([...pending, Buffer.from([NEWLINE])])));
}

/**
 * Returns a function that writes complete lines to `target`, or drops them while its reader hangs.
 * @param onDropped called with the number of dropped bytes when the target accepts output again
 */
function createWriter(target, onDropped) {
  let droppedBytes = 0;
  // A write fails if the reader has ended. The programs continue.
  target.on('error', () => undefined);
  return (lines) => {
    if (target.writableLength + lines.length > MAX_QUEUED_BYTES) {
      droppedBytes += lines.length;
      return;
    }
    target.write(lines);
    const lostBytes = droppedBytes;
    droppedBytes = 0;
    if (lostBytes > 0) onDropped(lostBytes);
  };
}

/**
 * Whether both streams have the same reader, as after `2>&1`. Both then share one writer, so that lines stay complete.
 */
function haveSameReader(firstStream, secondStream) {
  const [first, second] = [firstStream, secondStream].map(({ fd }) => fstatSync(fd));
  return first.ino === second.ino && first.dev === second.dev;
}

/**
 * Chooses how a program is connected to an output. Writes to a file or to `/dev/null` are atomic, so a program inherits
 * these outputs. A pipe or a socket would mix long lines, so the supervisor forwards whole lines to it.
 */
function chooseStdio(target) {
  const stats = fstatSync(target.fd);
  return stats.isFile() || (stats.isCharacterDevice() && !target.isTTY) ? 'inherit' : 'pipe';
}

/**
 * Starts programs and restarts each when it ends. An exit with `EX_CONFIG` stops all programs instead.
 * @param programs `{ name, args }` of Node programs
 * @param onEnd called once with the exit code when all have ended
 */
export function supervise(programs, { env, cwd, onEnd }) {
  const running = new Map();
  /** Programs whose output streams are open. */
  const openPrograms = new Set();
  const streams = [process.stdout, process.stderr];
  const logError = (text) => writeErrors(Buffer.from(text));
  const reportDropped = (bytes) => logError(`ninguém lia a saída: ${bytes} bytes perdidos\n`);
  const writeOutput = createWriter(process.stdout, reportDropped);
  const writeErrors = haveSameReader(...streams) ? writeOutput : createWriter(process.stderr, reportDropped);
  let exitCode; // Undefined until a stop begins.
  const width = Math.max(...programs.map(({ name }) => name.length));

  function launch({ name, args }, index, delayMs) {
    const startedAt = Date.now();
    const child = spawn(process.execPath, args, {
      cwd,
      env: selectEnvironment(name, env),
      stdio: ['ignore', chooseStdio(process.stdout), chooseStdio(process.stderr), 'ipc'],
    });
    running.set(name, child);
    openPrograms.add(child);
    child.once('close', () => openPrograms.delete(child));
    const prefix = process.stdout.isTTY ? `${colors[index % colors.length]}${name.padEnd(width)} |${RESET} ` : '';
    const forward = prefix ? (stream, write) => printLines(stream, prefix, write) : passBytes;
    if (child.stdout) forward(child.stdout, writeOutput);
    if (child.stderr) forward(child.stderr, writeErrors);
    child.once('exit', (code, signal) => {
      running.delete(name);
      if (exitCode !== undefined) {
        if (running.size === 0) void exit();
        return;
      }
      if (code === EX_CONFIG) {
        stop(EX_CONFIG);
        return;
      }
      const restartDelayMs = Date.now() - startedAt > STABLE_MS ? FIRST_DELAY_MS : delayMs;
      logError(`${prefix || `${name}: `}terminou (${signal ?? code}); nova tentativa em ${restartDelayMs} ms\n`);
      setTimeout(() => {
        if (exitCode === undefined) launch({ name, args }, index, Math.min(restartDelayMs * 2, MAX_DELAY_MS));
      }, restartDelayMs);
    });
  }

  async function exit() {
    const end = Date.now() + LAST_OUTPUT_MS;
    const isWritten = () => openPrograms.size === 0 && streams.every(({ writableLength }) => writableLength === 0);
    while (!isWritten() && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    onEnd(exitCode);
  }

  function stop(code) {
    if (exitCode !== undefined) return;
    exitCode = code;
    if (running.size === 0) {
      void exit();
      return;
    }
    for (const child of running.values()) child.kill('SIGTERM');
    setTimeout(() => {
      for (const [name, child] of running) {
        logError(`${name}: não terminou em ${DRAIN_MS / 1000} s e foi encerrado à força\n`);
        child.kill('SIGKILL');
      }
    }, DRAIN_MS).unref();
  }

  for (const [index, program] of programs.entries()) launch(program, index, FIRST_DELAY_MS);
  /** Ends one program. Its exit handler launches it again. */
  const restart = (name) => running.get(name)?.kill('SIGTERM');
  return { stop, restart };
}
