import type { Writable } from 'node:stream';
import { monotonicNow } from './exchange';

/** Called when a batched write is passed to the kernel. */
export interface FlushListener {
  /** @param now by `monotonicNow` */
  onFlushed(now: number): void;
}

/** Sockets and listeners of this turn of the event loop, one entry per write. */
let corked: Writable[] = [];
let listeners: FlushListener[] = [];

function uncork(): void {
  const [sockets, flushed] = [corked, listeners];
  corked = [];
  listeners = [];
  for (const socket of sockets) socket.uncork();
  if (flushed.length === 0) return;
  const now = monotonicNow();
  for (const listener of flushed) listener.onFlushed(now);
}

/**
 * Corks a socket until the event loop has read all sockets of this turn. A small write mostly costs the wake-up of its
 * reader. When several writes follow each other, the reader is already awake for the later ones.
 */
export function batchWrites(socket: Writable, listener?: FlushListener): void {
  if (corked.length === 0) setImmediate(uncork);
  corked.push(socket);
  if (listener) listeners.push(listener);
  socket.cork();
}
