import { fstatSync } from 'node:fs';
import { Socket } from 'node:net';
import { STDOUT, toNonBlocking } from '../../../platform/log/non-blocking';
import { FileWriter } from './file-writer';
import type { Output } from './output';
import { SocketWriter } from './socket-writer';

/** Opens the writer for a file descriptor. @param onDropped called for each chunk that could not be written */
export function openOutput(descriptor: number, onDropped: () => void): Output {
  const stream = openSocketStream(descriptor);
  return stream ? new SocketWriter(stream, onDropped) : new FileWriter(onDropped, toNonBlocking(descriptor));
}

/** Returns a stream for sockets only. After an error, a stream on a named pipe would not write to a new reader. */
function openSocketStream(descriptor: number): Socket | undefined {
  if (!fstatSync(descriptor).isSocket()) return undefined;
  if (descriptor !== STDOUT) return new Socket({ fd: descriptor, readable: false });
  // Node never closes `process.stdout`, so it is used for standard output. For a datagram socket it is not a `Socket`.
  const stdout: unknown = process.stdout;
  return stdout instanceof Socket ? stdout : undefined;
}
