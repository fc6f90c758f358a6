import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';

export const ROOT = join(__dirname, '../..');

/** Between two questions of `until`. */
const PAUSE_MS = 20;
/** Enough of the output to say why a program failed, and a bound for one that runs for hours. */
const KEPT_CHARACTERS = 1_000_000;

const running = new Set<Program>();
process.on('exit', () => {
  for (const { child } of running) child.kill('SIGKILL');
});

/** Ports that were free a moment ago, all different. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      return server;
    }),
  );
  return servers.map((server) => {
    const address = server.address();
    server.close();
    if (address === null || typeof address === 'string') throw new Error('the server has no port');
    return address.port;
  });
}

export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1);
  return port;
}

/**
 * Asks again and again until `probe` gives something.
 * @param what ends the sentence "waited 30 s in vain for …"
 * @throws what `probe` throws, at once
 */
export async function until<Value>(
  what: string,
  probe: () => Value | Promise<Value>,
  seconds = 30,
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
    { environment = {}, cwd = ROOT, command = process.execPath, input }: ProgramOptions = {},
  ) {
    this.child = spawn(command, args, {
      cwd,
      env: { PATH: process.env.PATH, ...environment },
      // The product's processes stop when this channel closes.
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe', 'ipc'],
    });
    for (const stream of ['stdout', 'stderr'] as const) {
      this.child[stream]?.setEncoding('utf8').on('data', (text: string) => {
        this.written[stream] = (this.written[stream] + text).slice(-KEPT_CHARACTERS);
        this.output = (this.output + text).slice(-KEPT_CHARACTERS);
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
