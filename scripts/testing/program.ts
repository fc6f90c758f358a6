import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';

export const ROOT = join(__dirname, '../..');

/** Between two questions of `until`. */
const PAUSE_MS = 20;
/** Enough of the output to say why a program failed, and a bound for one that runs for hours. */
const KEPT_CHARACTERS = 1_000_000;
/** Cut seldom: each time all of it is copied, which would cost more than what is measured of a program that writes much. */
const kept = (text: string) => (text.length > 2 * KEPT_CHARACTERS ? text.slice(-KEPT_CHARACTERS) : text);

const running = new Set<Program>();
process.on('exit', () => {
  for (const { child } of running) child.kill('SIGKILL');
});

/**
 * Programs that are told their port bind it a moment after it was found free. It lies below the ports that the system
 * hands out by itself, and each of Jest's workers has a range of its own, so that nobody takes it in between.
 */
const FIRST_PORT = 12_000;
const RANGES = 4;
const RANGE = 5_000;
const firstOfRange = FIRST_PORT + (Number(process.env.JEST_WORKER_ID ?? 0) % RANGES) * RANGE;
let taken = randomInt(RANGE);

/** Nobody listens on it. */
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

/** A port on which nobody listens, and which is given to nobody else. */
export async function freePort(): Promise<number> {
  for (let left = RANGE; left > 0; left -= 1) {
    taken = (taken + 1) % RANGE;
    const port = firstOfRange + taken;
    if (await isFree(port)) return port;
  }
  throw new Error(`no port is free from ${firstOfRange} on`);
}

/** Several of them. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) ports.push(await freePort());
  return ports;
}

/**
 * Asks again and again until `probe` gives something.
 * @param what ends the sentence "waited 60 s in vain for …"
 * @throws what `probe` throws, at once
 */
export async function until<Value>(
  what: string,
  probe: () => Value | Promise<Value>,
  seconds = 60,
): Promise<NonNullable<Value>> {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const value = await probe();
    if (value) return value;
    if (Date.now() > end) throw new Error(`waited ${seconds} s in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

interface ProgramOptions {
  /** The whole environment of the process, but for `PATH`. */
  environment?: NodeJS.ProcessEnv;
  cwd?: string;
  /** Node, where it is left out. */
  command?: string;
  /** Written to its standard input, which is closed then. */
  input?: string;
  /** A descriptor that takes its standard output, which is not kept then. */
  stdout?: number;
  /** The same of its standard error. */
  stderr?: number;
}

/** A process under test. Its output is kept; the product's processes end with their parent. */
export class Program {
  readonly child: ChildProcess;
  /** What was written up to now, each stream apart. */
  readonly written = { stdout: '', stderr: '' };
  /** Both streams as they came. */
  output = '';
  /** Resolves to the exit code once the process is gone and all that it wrote was read; null after a signal. */
  readonly ended: Promise<number | null>;

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
        this.written[stream] = kept(this.written[stream] + text);
        this.output = kept(this.output + text);
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

  /** Resolves once `text` was written; rejects when the process ends without it. */
  async printed(text: string): Promise<void> {
    while (!this.output.includes(text)) {
      const gone = await Promise.race([once(this.child, 'written').then(() => false), this.ended.then(() => true)]);
      if (gone && !this.output.includes(text)) throw new Error(`${this.name} never wrote ${text}:\n${this.output}`);
    }
  }

  /** Resolves once `url` answers 2xx; rejects when the process ends before. */
  async answers(url: string, seconds = 60): Promise<void> {
    await until(
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

  /** @returns the exit code, null when a signal ended it */
  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    if (this.isRunning) this.child.kill(signal);
    return this.ended;
  }
}
