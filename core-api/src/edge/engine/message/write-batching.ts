import type { Writable } from 'node:stream';
import { monotonicNow } from '../clock';

/** Called when a batched write is passed to the kernel. */
export interface FlushListener {
  /** @param now by `monotonicNow` */
  onFlushed(now: number): void;
}

/** Sockets and listeners of this turn of the event loop, one entry per write. */
let corkedSockets: Writable[] = [];
let listeners: FlushListener[] = [];

function uncork(): void {
  const [sockets, flushedListeners] = [corkedSockets, listeners];
  corkedSockets = [];
  listeners = [];
  for (const socket of sockets) socket.uncork();
  if (flushedListeners.length === 0) return;
  const now = monotonicNow();
  for (const listener of flushedListeners) listener.onFlushed(now);
}

/**
 * Corks a socket until the event loop has read all sockets of this turn. Most of the cost of a small write is the
 * wake-up of its reader. When several writes follow each other, the reader is already awake for the later writes.
 */
export function batchWrites(socket: Writable, listener?: FlushListener): void {
  if (corkedSockets.length === 0) setImmediate(uncork);
  corkedSockets.push(socket);
  if (listener) listeners.push(listener);
  socket.cork();
}
