import { fstatSync } from 'node:fs';
import { Socket } from 'node:net';
import { ChunkWriter } from './chunk-writer';
import { type Output, STDOUT } from './output';
import { StreamWriter } from './stream-writer';

/** @param onDropped called for each chunk that could not be written */
export function outputTo(descriptor: number, onDropped: () => void): Output {
  const stream = streamOf(descriptor);
  return stream ? new StreamWriter(stream, onDropped) : new ChunkWriter(onDropped, descriptor);
}

/** Only for a socket: a named pipe may have another reader later, which Node's stream would never write to again. */
function streamOf(descriptor: number): Socket | undefined {
  if (!fstatSync(descriptor).isSocket()) return undefined;
  if (descriptor !== STDOUT) return new Socket({ fd: descriptor, readable: false });
  // What Node opened itself, which never closes it. For a socket of datagrams it has something that loses all.
  const stdout: unknown = process.stdout;
  return stdout instanceof Socket ? stdout : undefined;
}
