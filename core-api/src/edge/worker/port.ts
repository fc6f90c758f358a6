import { createServer, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { BACKLOG } from '../../listen-on';
import { PORT_DESCRIPTOR } from '../descriptors';

/** While connections come without a pause, what waits in the socket is taken for so long at most. */
const LAST_ACCEPTS_MS = 1_000;

/** The port, as one worker takes connections from it. */
export class Port {
  private hasAccepted = false;
  private readonly server = createServer({ noDelay: true }, (socket) => {
    this.hasAccepted = true;
    this.take(socket);
  });

  constructor(private readonly take: (socket: Socket) => void) {}

  listen(onListening: () => void, onFailed: (error: NodeJS.ErrnoException) => void): void {
    const { server } = this;
    server.once('error', onFailed);
    server.listen({ fd: PORT_DESCRIPTOR }, BACKLOG, () => {
      server.removeAllListeners('error');
      // A connection that could not be accepted is gone, and nothing else is.
      server.on('error', () => undefined);
      onListening();
    });
  }

  /** Where nobody else holds the socket, what waits in it would be reset: one of it is taken in each turn of the loop. */
  async close(): Promise<void> {
    const end = performance.now() + LAST_ACCEPTS_MS;
    // The rest of this turn: only a whole one tells that nothing waits.
    await nextTurn();
    do {
      this.hasAccepted = false;
      await nextTurn();
    } while (this.hasAccepted && performance.now() < end);
    this.server.close();
  }
}
