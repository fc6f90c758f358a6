import type { Writable } from 'node:stream';
import { steadyNow } from './exchange';

/** Who wants to know when what it wrote goes out. */
export interface Writer {
  /** @param now by `steadyNow` */
  written(now: number): void;
}

/** Both as often as they were written to in this turn. */
let corked: Writable[] = [];
let writers: Writer[] = [];

function uncork(): void {
  const sockets = corked;
  const concerned = writers;
  corked = [];
  writers = [];
  for (const socket of sockets) socket.uncork();
  if (concerned.length === 0) return;
  const now = steadyNow();
  for (const writer of concerned) writer.written(now);
}

/**
 * Holds back what is written to a socket until all that this turn of the event loop has to read has been read. Most of the
 * cost of a small write is to wake up its reader; of several writes in a row the later ones find it awake.
 */
export function corkTurn(socket: Writable, writer?: Writer): void {
  if (corked.length === 0) setImmediate(uncork);
  corked.push(socket);
  if (writer) writers.push(writer);
  socket.cork();
}
