import { createServer, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { BACKLOG } from '../../../platform/lifecycle/listen-address';

/** Maximum time for accepting the backlog before the close, because connections may keep arriving. */
const MAX_ACCEPT_DRAIN_MS = 1_000;

export class WorkerListener {
  private hasAccepted = false;
  private readonly server = createServer({ noDelay: true }, (socket) => {
    this.hasAccepted = true;
    this.onConnection(socket);
  });

  /** @param descriptor file descriptor of a bound socket */
  constructor(
    private readonly descriptor: number,
    private readonly onConnection: (socket: Socket) => void,
  ) {}

  listen(onListening: () => void, onFailed: (error: NodeJS.ErrnoException) => void): void {
    const { server } = this;
    server.once('error', onFailed);
    server.listen({ fd: this.descriptor }, BACKLOG, () => {
      server.removeAllListeners('error');
      // A failed accept affects only its connection.
      server.on('error', () => undefined);
      onListening();
    });
  }

  /**
   * Accepts the backlog, one connection per turn of the event loop, and then closes the socket. A close alone would
   * reset the connections in the backlog.
   */
  async close(): Promise<void> {
    const deadline = performance.now() + MAX_ACCEPT_DRAIN_MS;
    // The current turn may be nearly over. Only a complete turn without an accept shows that the backlog is empty.
    await nextTurn();
    do {
      this.hasAccepted = false;
      await nextTurn();
    } while (this.hasAccepted && performance.now() < deadline);
    this.server.close();
  }
}
