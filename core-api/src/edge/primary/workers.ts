import { type ChildProcess, fork } from 'node:child_process';
import { extname, join } from 'node:path';
import { Readable } from 'node:stream';
import type { Logger } from 'pino';
import type { ToPrimary, ToWorker } from '../messages';
import { type Output, STDERR, STDOUT } from '../output/output';
import { passWholeLines } from '../output/whole-lines';
import { isOneSocket, takesWholeWrites } from '../output/whole-writes';
import type { ListeningSocket } from './listening-socket';

const MIN_RESTART_MS = 100;
const MAX_RESTART_MS = 10_000;
const DRAIN_MS = 9_500;
/** A worker tells something twice a second; one that is silent for so many seconds hangs. */
const HUNG_S = 15;
/** Until it tells something for the first time it has longer: a busy machine takes its time to load a program. */
const START_S = 60;
/** Half of them look names up, one silent name each; the others read files. More of them take turns, each of them cold. */
const UV_THREADPOOL_SIZE = '12';
const PROGRAM = join(__dirname, `../worker/main${extname(__filename)}`);
const V8_FLAGS = [
  // Where most objects made in one place live on, as a connection's first header block does, V8 makes all later ones among the
  // old: they and what they hold then wait for a whole collection, also once each request makes its own.
  '--no-allocation-site-pretenuring',
  // Megabytes, as large as it grows under load: after a rest it is small again, and the next requests pay for its growth.
  '--min-semi-space-size=16',
];

export interface WorkersOptions {
  count: number;
  /** They take connections from it. */
  socket: ListeningSocket;
  /** Added to the environment of each. */
  environment: Record<string, string>;
  /** Each worker's first message; undefined while there is no configuration. */
  firstMessage(): ToWorker | undefined;
  onMessage(worker: number, message: ToPrimary): void;
  onExit(worker: number): void;
  /** The first one cannot listen, and neither could another one. */
  onNotListening(error: Error): void;
  /** What they cannot write to the standard output themselves goes there, without mixing lines. */
  output: Output;
  log: Logger;
}

/** Keeps `count` workers serving: a dead one is replaced; one that reports a fault serves until its successor does. */
export class Workers {
  private readonly all = new Map<number, ChildProcess>();
  private lastId = 0;
  private readonly serving = new Set<number>();
  /** Seconds for which each worker has told nothing, below zero before its first word. */
  private readonly silence = new Map<number, number>();
  /** Workers that reported a fault, each with its successor. */
  private readonly leaving = new Map<number, number>();
  private restartMs = MIN_RESTART_MS;
  private hasServed = false;
  private stopping = false;

  constructor(private readonly options: WorkersOptions) {}

  start(): void {
    for (let count = this.options.count; count > 0; count -= 1) this.fork();
    setInterval(() => this.endHung(), 1_000).unref();
  }

  /** Its connections are lost already, and those that wait in the socket may have no other. */
  private endHung(): void {
    if (this.stopping) return;
    for (const [id, silentS] of this.silence) {
      this.silence.set(id, silentS + 1);
      if (silentS < HUNG_S) continue;
      const worker = this.all.get(id);
      this.options.log.error({ pid: worker?.pid }, 'a worker hangs and is ended');
      worker?.kill('SIGKILL');
    }
  }

  /** Workers that serve. */
  get count(): number {
    return this.serving.size;
  }

  /** Their numbers. */
  get ids(): number[] {
    return [...this.serving];
  }

  broadcast(message: ToWorker): void {
    for (const id of this.all.keys()) this.sendTo(id, message);
  }

  /** Does nothing where that worker has exited; one that dies meanwhile emits `exit`. */
  sendTo(id: number, message: ToWorker): void {
    const worker = this.all.get(id);
    if (worker?.connected) worker.send(message, undefined, undefined, () => undefined);
  }

  /** Drains all workers; those still running after 9.5 s are killed. */
  async stop(): Promise<void> {
    this.stopping = true;
    const exits = [...this.all.values()].map(
      (worker) => new Promise<void>((resolve) => worker.once('close', () => resolve())),
    );
    const force = setTimeout(() => {
      for (const worker of this.all.values()) worker.kill('SIGKILL');
    }, DRAIN_MS);
    this.options.socket.close();
    this.broadcast({ type: 'drain' });
    await Promise.all(exits);
    clearTimeout(force);
  }

  /** @returns its number */
  private fork(): number {
    const { socket, environment, log, output, firstMessage } = this.options;
    // Node has a program's standard streams wait for their reader, when it starts and when it ends, and with them all who
    // share the socket. So its lines go elsewhere; what comes there is Node's own, or was meant for a developer.
    const others = isOneSocket() ? 'pipe' : STDERR;
    this.lastId += 1;
    const id = this.lastId;
    const worker = fork(PROGRAM, {
      env: { UV_THREADPOOL_SIZE, ...process.env, ...environment },
      execArgv: [...process.execArgv, ...V8_FLAGS],
      stdio: ['ignore', others, others, takesWholeWrites() ? STDOUT : 'pipe', socket.fd, 'ipc'],
    });
    this.all.set(id, worker);
    this.silence.set(id, HUNG_S - START_S);
    for (const stream of worker.stdio) if (stream instanceof Readable) passWholeLines(stream, output);
    worker.on('error', (error) => log.warn({ err: error }, 'a message to a worker failed'));
    worker.on('message', (message: ToPrimary) => this.receive(id, message));
    worker.once('exit', (code, signal) => this.exited(id, signal ?? code));
    const first = firstMessage();
    if (first) this.sendTo(id, first);
    return id;
  }

  private receive(id: number, message: ToPrimary): void {
    if (this.silence.has(id)) this.silence.set(id, 0);
    if (message.type === 'serving') {
      this.serving.add(id);
      this.hasServed = true;
      this.restartMs = MIN_RESTART_MS;
      for (const [faulted, successor] of this.leaving) {
        if (successor !== id) continue;
        this.serving.delete(faulted);
        this.sendTo(faulted, { type: 'drain' });
      }
    } else if (message.type === 'not-listening') {
      const { code, message: said } = message;
      if (!this.hasServed && !this.stopping) this.options.onNotListening(Object.assign(new Error(said), { code }));
    } else if (message.type === 'faulted') {
      if (!this.stopping && !this.leaving.has(id)) this.leaving.set(id, this.fork());
    }
    this.options.onMessage(id, message);
  }

  private exited(id: number, code: number | string | null): void {
    const { log, onExit } = this.options;
    this.all.delete(id);
    this.silence.delete(id);
    const served = this.serving.delete(id);
    const isReplaced = this.leaving.delete(id);
    onExit(id);
    if (this.stopping || isReplaced) return;
    log.error({ code }, 'a worker ended and is replaced');
    // Back-off is for workers that never served; the port must not be left without a worker.
    if (served || (this.hasServed && this.serving.size === 0)) this.replace(id);
    else {
      setTimeout(() => this.replace(id), this.restartMs);
      this.restartMs = Math.min(this.restartMs * 2, MAX_RESTART_MS);
    }
  }

  /** Starts a successor, also for the worker that the exited one was to succeed. */
  private replace(id: number): void {
    if (this.stopping) return;
    const next = this.fork();
    for (const [faulted, successor] of this.leaving) if (successor === id) this.leaving.set(faulted, next);
  }
}
