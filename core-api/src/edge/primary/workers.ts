import cluster, { type Worker } from 'node:cluster';
import { extname, join } from 'node:path';
import type { Logger } from 'pino';
import type { ToPrimary, ToWorker } from '../messages';
import { ChunkWriter } from '../output/chunk-writer';
import { passWholeLines } from '../output/whole-lines';
import type { Acceptor } from './acceptor';

const MIN_RESTART_MS = 100;
const MAX_RESTART_MS = 10_000;
const DRAIN_MS = 9_500;
const PROGRAM = join(__dirname, `../worker/main${extname(__filename)}`);

export interface WorkersOptions {
  count: number;
  /** Hands connections to those that serve. */
  acceptor: Acceptor;
  /** Added to the environment of each. */
  environment: Record<string, string>;
  /** Each worker's first message; undefined while there is no configuration. */
  firstMessage(): ToWorker | undefined;
  onMessage(worker: number, message: ToPrimary): void;
  onExit(worker: number): void;
  log: Logger;
}

/** Keeps `count` workers serving: a dead one is replaced; one that reports a fault serves until its successor does. */
export class Workers {
  private readonly serving = new Set<number>();
  /** Workers that reported a fault, each with its successor. */
  private readonly leaving = new Map<number, number>();
  private restartMs = MIN_RESTART_MS;
  private hasServed = false;
  private stopping = false;
  /** What all workers write to their standard output goes into this process's own, without mixing lines. */
  private readonly output = new ChunkWriter(() => {
    this.logDropped += 1;
  });
  /** Chunks of it that could not be written. */
  logDropped = 0;

  constructor(private readonly options: WorkersOptions) {
    cluster.setupPrimary({ exec: PROGRAM, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  }

  start(): void {
    for (let count = this.options.count; count > 0; count -= 1) this.fork();
  }

  /** Workers that serve. */
  get count(): number {
    return this.serving.size;
  }

  broadcast(message: ToWorker): void {
    for (const worker of this.all) this.send(worker, message);
  }

  /** Does nothing where that worker has exited. */
  sendTo(id: number, message: ToWorker): void {
    const worker = cluster.workers?.[id];
    if (worker) this.send(worker, message);
  }

  /** Drains all workers; those still running after 9.5 s are killed. */
  async stop(): Promise<void> {
    this.stopping = true;
    const exits = this.all.map(
      (worker) => new Promise<void>((resolve) => worker.process.once('close', () => resolve())),
    );
    const force = setTimeout(() => {
      for (const worker of this.all) worker.process.kill('SIGKILL');
    }, DRAIN_MS);
    await this.options.acceptor.close();
    this.broadcast({ type: 'drain' });
    await Promise.all(exits);
    clearTimeout(force);
    await this.output.settled();
  }

  private get all(): Worker[] {
    return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
  }

  /** Errors are ignored: a worker that dies meanwhile emits `exit`. */
  private send(worker: Worker, message: ToWorker): void {
    if (worker.isConnected()) worker.process.send(message, undefined, undefined, () => undefined);
  }

  private fork(): Worker {
    const worker = cluster.fork(this.options.environment);
    if (worker.process.stdout) passWholeLines(worker.process.stdout, this.output);
    worker.on('error', (error) => this.options.log.warn({ err: error }, 'a message to a worker failed'));
    worker.on('message', (message: ToPrimary) => this.receive(worker, message));
    worker.once('exit', (code, signal) => this.exited(worker, signal ?? code));
    const first = this.options.firstMessage();
    if (first) this.send(worker, first);
    return worker;
  }

  private receive(worker: Worker, message: ToPrimary): void {
    const { acceptor } = this.options;
    if (message.type === 'taken') acceptor.taken(worker);
    else if (message.type === 'serving') {
      this.serving.add(worker.id);
      acceptor.join(worker);
      this.hasServed = true;
      this.restartMs = MIN_RESTART_MS;
      for (const [faulted, successor] of this.leaving) {
        const left = successor === worker.id ? cluster.workers?.[faulted] : undefined;
        if (!left) continue;
        this.serving.delete(faulted);
        acceptor.leave(left);
        this.send(left, { type: 'drain' });
      }
    } else if (message.type === 'faulted') {
      if (!this.stopping && !this.leaving.has(worker.id)) this.leaving.set(worker.id, this.fork().id);
    }
    this.options.onMessage(worker.id, message);
  }

  private exited(worker: Worker, code: number | string): void {
    const { acceptor, log, onExit } = this.options;
    acceptor.leave(worker);
    const served = this.serving.delete(worker.id);
    const isReplaced = this.leaving.delete(worker.id);
    onExit(worker.id);
    if (this.stopping || isReplaced) return;
    log.error({ code }, 'a worker ended and is replaced');
    // Back-off is for workers that never served; the port must not be left without a worker.
    if (served || (this.hasServed && this.serving.size === 0)) this.replace(worker.id);
    else {
      setTimeout(() => this.replace(worker.id), this.restartMs);
      this.restartMs = Math.min(this.restartMs * 2, MAX_RESTART_MS);
    }
  }

  /** Starts a successor, also for the worker that the exited one was to succeed. */
  private replace(id: number): void {
    if (this.stopping) return;
    const next = this.fork().id;
    for (const [faulted, successor] of this.leaving) if (successor === id) this.leaving.set(faulted, next);
  }
}
