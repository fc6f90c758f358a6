import { type ChildProcess, fork } from 'node:child_process';
import { extname, join } from 'node:path';
import { Readable } from 'node:stream';
import type { Logger } from 'pino';
import { STDERR, STDOUT } from '../../platform/log/non-blocking';
import type { ToPrimary, ToWorker } from '../ipc/messages';
import { hasAtomicWrites, sharesSocketWithStderr } from '../telemetry/output/atomic-writes';
import { forwardLines } from '../telemetry/output/forward-lines';
import type { Output } from '../telemetry/output/output';
import type { ListeningSocket } from './listening/listening-socket';

const MIN_RESTART_MS = 100;
const MAX_RESTART_MS = 10_000;
const DRAIN_MS = 9_500;
/** A worker without a message for this long counts as hung, s. A serving worker reports twice a second. */
const HANG_TIMEOUT_S = 15;
/** Time limit of the first message, s. Loading the program takes long on a busy machine. */
const START_TIMEOUT_S = 60;
/** libuv uses half the threads for DNS look-ups, and a silent name server blocks them. Over 12 threads are slower. */
const UV_THREADPOOL_SIZE = '12';
const PROGRAM = join(__dirname, `../../bin/edge-worker${extname(__filename)}`);
const V8_FLAGS = [
  // V8 would learn from cached header blocks to allocate later blocks in the old generation. Only a full collection
  // frees them. See "Garbage collection" in edge/README.md.
  '--no-allocation-site-pretenuring',
  // Minimum in MB. By default the young generation shrinks in idle times, and requests are slower until it has grown.
  '--min-semi-space-size=16',
];

export interface WorkerPoolOptions {
  count: number;
  /** The socket from which the workers accept connections. */
  socket: ListeningSocket;
  /** The Unix socket of `EDGE_SOCKET`. */
  proxySocket: ListeningSocket | undefined;
  /** Variables that are added to the environment of each worker. */
  environment: Record<string, string>;
  /** Called when a worker was started and can receive messages. */
  onStart(worker: number): void;
  onMessage(worker: number, message: ToPrimary): void;
  onExit(worker: number): void;
  /** Called when a worker cannot listen and no worker has served yet. */
  onListenFailed(error: Error): void;
  /** Output for lines that workers cannot write to standard output themselves. */
  output: Output;
  log: Logger;
}

/** Keeps `count` workers serving and replaces exited workers. A faulty worker continues until its successor serves. */
export class WorkerPool {
  private readonly processes = new Map<number, ChildProcess>();
  private lastId = 0;
  private readonly servingWorkers = new Set<number>();
  /** Seconds since the last message of each worker. A new worker begins below 0, so that its start may take longer. */
  private readonly silentSeconds = new Map<number, number>();
  /** Successor of each worker that reported a fault. */
  private readonly successors = new Map<number, number>();
  private restartMs = MIN_RESTART_MS;
  private hasAnyServed = false;
  private isStopping = false;

  constructor(private readonly options: WorkerPoolOptions) {}

  start(): void {
    for (let count = this.options.count; count > 0; count -= 1) this.fork();
    setInterval(() => this.killHung(), 1_000).unref();
  }

  /** Kills each hung worker once. Its connections are already lost. If all hang, no worker accepts connections. */
  private killHung(): void {
    if (this.isStopping) return;
    for (const [id, silentS] of this.silentSeconds) {
      this.silentSeconds.set(id, silentS + 1);
      if (silentS !== HANG_TIMEOUT_S) continue;
      const worker = this.processes.get(id);
      this.options.log.error({ pid: worker?.pid }, 'a worker hangs and is killed');
      worker?.kill('SIGKILL');
    }
  }

  get servingIds(): number[] {
    return [...this.servingWorkers];
  }

  /** Returns the ids of all workers, including workers that do not serve yet. */
  get allIds(): number[] {
    return [...this.processes.keys()];
  }

  broadcast(message: ToWorker): void {
    for (const id of this.processes.keys()) this.sendTo(id, message);
  }

  /** Sends a message, unless the worker has exited. */
  sendTo(id: number, message: ToWorker): void {
    const worker = this.processes.get(id);
    if (worker?.connected) worker.send(message, undefined, undefined, () => undefined);
  }

  /** Drains all workers, and kills any left after 9.5 s. Supervisors kill the edge after 15 s (`scripts/deploy`). */
  async stop(): Promise<void> {
    this.isStopping = true;
    const exits = [...this.processes.values()].map(
      (worker) => new Promise<void>((resolve) => worker.once('close', () => resolve())),
    );
    const force = setTimeout(() => {
      for (const worker of this.processes.values()) worker.kill('SIGKILL');
    }, DRAIN_MS);
    this.options.socket.close();
    this.options.proxySocket?.close();
    this.broadcast({ type: 'drain' });
    await Promise.all(exits);
    clearTimeout(force);
  }

  private fork(): number {
    const { socket, proxySocket, environment, log, output, onStart } = this.options;
    // When a child starts or exits, Node makes its standard streams blocking for every process that has them open. So
    // log lines use their own descriptor. Messages of Node use standard error, or a pipe if that is the same socket.
    const standardStream = sharesSocketWithStderr() ? 'pipe' : STDERR;
    this.lastId += 1;
    const id = this.lastId;
    const worker = fork(PROGRAM, {
      env: { UV_THREADPOOL_SIZE, ...process.env, ...environment },
      execArgv: [...process.execArgv, ...V8_FLAGS],
      stdio: [
        'ignore',
        standardStream,
        standardStream,
        hasAtomicWrites() ? STDOUT : 'pipe',
        socket.fd,
        proxySocket?.fd ?? 'ignore',
        'ipc',
      ],
    });
    this.processes.set(id, worker);
    this.silentSeconds.set(id, HANG_TIMEOUT_S - START_TIMEOUT_S);
    for (const stream of worker.stdio) if (stream instanceof Readable) forwardLines(stream, output);
    worker.on('error', (error) => log.warn({ err: error }, 'a message to a worker failed'));
    worker.on('message', (message: ToPrimary) => this.receive(id, message));
    worker.once('exit', (code, signal) => this.onExit(id, signal ?? code));
    onStart(id);
    return id;
  }

  private receive(id: number, message: ToPrimary): void {
    if (this.silentSeconds.has(id)) this.silentSeconds.set(id, 0);
    if (message.type === 'serving') this.onServing(id);
    if (message.type === 'listen-failed' && !this.hasAnyServed && !this.isStopping)
      this.options.onListenFailed(Object.assign(new Error(message.message), { code: message.code }));
    if (message.type === 'faulted' && !this.isStopping && !this.successors.has(id))
      this.successors.set(id, this.fork());
    this.options.onMessage(id, message);
  }

  private onServing(id: number): void {
    this.servingWorkers.add(id);
    this.hasAnyServed = true;
    this.restartMs = MIN_RESTART_MS;
    for (const [faulty, successor] of this.successors) {
      if (successor !== id) continue;
      this.servingWorkers.delete(faulty);
      this.sendTo(faulty, { type: 'drain' });
    }
  }

  private onExit(id: number, code: number | string | null): void {
    const { log, onExit } = this.options;
    this.processes.delete(id);
    this.silentSeconds.delete(id);
    const hasServed = this.servingWorkers.delete(id);
    const isReplaced = this.successors.delete(id);
    onExit(id);
    if (this.isStopping || isReplaced) return;
    log.error({ code }, 'a worker ended and is replaced');
    // A worker that never served is restarted with back-off, unless the last serving worker has ended.
    if (hasServed || (this.hasAnyServed && this.servingWorkers.size === 0)) this.replace(id);
    else {
      setTimeout(() => this.replace(id), this.restartMs);
      this.restartMs = Math.min(this.restartMs * 2, MAX_RESTART_MS);
    }
  }

  /** Replaces an exited worker, which may have been the successor of a faulty worker. */
  private replace(id: number): void {
    if (this.isStopping) return;
    const replacement = this.fork();
    for (const [faulty, successor] of this.successors) if (successor === id) this.successors.set(faulty, replacement);
  }
}
