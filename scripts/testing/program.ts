import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';

export const ROOT = join(__dirname, '../..');

/** Time between two checks of `waitFor`. Most checks are requests to a process that is busy with its start. */
const POLL_INTERVAL_MS = 50;
/** Enough output to diagnose a failure. The limit bounds the memory of tests that run for hours. */
const KEPT_CHARACTERS = 1_000_000;
/** The part of the output that `reportUnexpectedEnd` prints. */
const PRINTED_CHARACTERS = 4_000;
/** Truncates only at twice the limit, because each truncation copies the text and would slow down measurements. */
const truncateText = (text: string) => (text.length > 2 * KEPT_CHARACTERS ? text.slice(-KEPT_CHARACTERS) : text);

const running = new Set<Program>();
process.on('exit', () => {
  for (const { child } of running) child.kill('SIGKILL');
});

/**
 * First port of `findFreePort`. A program binds its port a moment after the port was found free. The ports are below the
 * system's ephemeral ports, and each Jest worker has a range of its own, so no other process takes the port meanwhile.
 */
const FIRST_PORT = 12_000;
const RANGES = 4;
const PORTS_PER_RANGE = 5_000;
const firstPortOfRange = FIRST_PORT + (Number(process.env.JEST_WORKER_ID ?? 0) % RANGES) * PORTS_PER_RANGE;
let lastOffset = randomInt(PORTS_PER_RANGE);

/** Returns whether no process listens on a port. */
async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}

/** Finds a port on which no process listens. A port is returned again only after all other ports of its range. */
export async function findFreePort(): Promise<number> {
  for (let portsLeft = PORTS_PER_RANGE; portsLeft > 0; portsLeft -= 1) {
    lastOffset = (lastOffset + 1) % PORTS_PER_RANGE;
    const port = firstPortOfRange + lastOffset;
    if (await isFree(port)) return port;
  }
  throw new Error(`no port is free from ${firstPortOfRange} on`);
}

/** Finds several free ports. */
export async function findFreePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) ports.push(await findFreePort());
  return ports;
}

/**
 * Repeats `probe` until it returns a truthy value.
 * @param description the awaited state, which the error names
 * @throws the error of `probe`, or an error with `description` after `seconds`
 */
export async function waitFor<Value>(
  description: string,
  probe: () => Value | Promise<Value>,
  seconds = 60,
): Promise<NonNullable<Value>> {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const value = await probe();
    if (value) return value;
    if (Date.now() > end) throw new Error(`waited ${seconds} s in vain: ${description}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
}

interface ProgramOptions {
  /** The environment of the process; only `PATH` is added. */
  environment?: NodeJS.ProcessEnv;
  cwd?: string;
  /** The program; default: Node. */
  command?: string;
  /** Text for its standard input, which is closed afterwards. */
  input?: string;
  /** A descriptor for its standard output, which is then not recorded. */
  stdout?: number;
  /** A descriptor for its standard error, which is then not recorded. */
  stderr?: number;
}

/** A process under test. Its output is recorded. The product's processes end when their parent ends. */
export class Program {
  readonly child: ChildProcess;
  /** The output so far, by stream. */
  readonly written = { stdout: '', stderr: '' };
  /** The output of both streams in the order of arrival. */
  output = '';
  /** Resolves when the process and its output have ended: to the exit code, or to null after a signal. */
  readonly ended: Promise<number | null>;
  private isEnding = false;

  constructor(
    readonly name: string,
    args: readonly string[],
    { environment = {}, cwd = ROOT, command = process.execPath, input, stdout, stderr }: ProgramOptions = {},
  ) {
    this.child = spawn(command, args, {
      cwd,
      env: { PATH: process.env.PATH, ...environment },
      // The product's processes stop when this channel closes.
      stdio: [input === undefined ? 'ignore' : 'pipe', stdout ?? 'pipe', stderr ?? 'pipe', 'ipc'],
    });
    for (const stream of ['stdout', 'stderr'] as const) {
      this.child[stream]?.setEncoding('utf8').on('data', (text: string) => {
        this.written[stream] = truncateText(this.written[stream] + text);
        this.output = truncateText(this.output + text);
        this.child.emit('written');
      });
    }
    running.add(this);
    this.ended = once(this.child, 'close').then(([code]) => {
      running.delete(this);
      return code;
    });
    this.child.stdin?.end(input);
  }

  get pid(): number {
    if (this.child.pid === undefined) throw new Error(`${this.name} did not start`);
    return this.child.pid;
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Resolves when the output contains `text`. Rejects if the process ends first. */
  async waitForOutput(text: string): Promise<void> {
    while (!this.output.includes(text)) {
      const hasEnded = await Promise.race([once(this.child, 'written').then(() => false), this.ended.then(() => true)]);
      if (hasEnded && !this.output.includes(text)) throw new Error(`${this.name} never wrote ${text}:\n${this.output}`);
    }
  }

  /** Resolves when `url` answers 2xx. Rejects if the process ends first. */
  async waitForUrl(url: string, seconds = 60): Promise<void> {
    await waitFor(
      `${this.name} at ${url}`,
      () => {
        if (!this.isRunning) throw new Error(`${this.name} ended:\n${this.output}`);
        return fetch(url).then(
          ({ ok }) => ok,
          () => false,
        );
      },
      seconds,
    );
  }

  /** Prints the last output if the process ends without `end`. The test itself reports only refused connections. */
  reportUnexpectedEnd(): void {
    this.child.once('exit', (code, signal) => {
      if (this.isEnding) return;
      process.stderr.write(
        `${this.name} ended by itself (${signal ?? code}):\n${this.output.slice(-PRINTED_CHARACTERS)}\n`,
      );
    });
  }

  /** Sends a signal and waits for the end. @returns the exit code, null when the signal ended the program */
  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.isEnding = true;
    if (this.isRunning) this.child.kill(signal);
    return this.ended;
  }
}
