import type { Worker } from 'node:cluster';
import { createServer, type Socket } from 'node:net';
import { BACKLOG, type ListenAddress } from '../../listen-on';
import type { ToWorker } from '../messages';

const CONNECTION: ToWorker = { type: 'connection' };

/**
 * The port. It accepts every connection and hands it, unread, to the worker that has been free for the longest: one that
 * has taken all it was handed. `node:cluster` would do so by itself, but it accepts until its last worker takes no more,
 * and what comes in between is lost.
 */
export class Acceptor {
  private readonly server = createServer({ pauseOnConnect: true }, (socket) => this.hand(socket));
  private isOpened = false;
  /** Workers that take connections. */
  private readonly members = new Set<Worker>();
  /** Those of them that are free, in the order in which they became it. */
  private readonly free = new Set<Worker>();
  private readonly waiting: Socket[] = [];
  private onAllHanded: (() => void) | undefined;

  /** @param onFailed it cannot listen there */
  constructor(
    private readonly address: ListenAddress,
    private readonly onFailed: (error: Error) => void,
  ) {}

  get isListening(): boolean {
    return this.server.listening;
  }

  /** From now on this worker takes connections; the port opens with the first one. */
  join(worker: Worker): void {
    this.members.add(worker);
    this.taken(worker);
    if (!this.isOpened) this.open();
  }

  private open(): void {
    this.isOpened = true;
    this.server.once('error', this.onFailed);
    this.server.listen(this.address, BACKLOG, () => {
      this.server.off('error', this.onFailed);
      // A connection that could not be accepted is gone, and nothing else is.
      this.server.on('error', () => undefined);
    });
  }

  /** It has what it was handed. */
  taken(worker: Worker): void {
    if (!this.members.has(worker)) return;
    const next = this.waiting.shift();
    if (next) this.send(worker, next);
    else this.free.add(worker);
    if (this.waiting.length === 0) this.onAllHanded?.();
  }

  /** It takes no more. */
  leave(worker: Worker): void {
    this.members.delete(worker);
    this.free.delete(worker);
    if (this.onAllHanded && this.members.size === 0) this.giveUp();
  }

  /**
   * Accepts no more: what comes later waits in the socket for whoever listens to it next.
   * @returns resolved when all that were accepted have been handed on
   */
  close(): Promise<void> {
    this.server.close();
    return new Promise((resolve) => {
      this.onAllHanded = resolve;
      if (this.members.size === 0) this.giveUp();
      else if (this.waiting.length === 0) resolve();
    });
  }

  /** Nobody is left who could serve them. */
  private giveUp(): void {
    for (const socket of this.waiting.splice(0)) socket.destroy();
    this.onAllHanded?.();
  }

  private hand(socket: Socket): void {
    const [worker] = this.free;
    if (worker) this.send(worker, socket);
    else this.waiting.push(socket);
  }

  private send(worker: Worker, socket: Socket): void {
    this.free.delete(worker);
    // A worker that ends meanwhile takes what was on its way to it along.
    worker.process.send(CONNECTION, socket, undefined, (error) => error && socket.destroy());
  }
}
