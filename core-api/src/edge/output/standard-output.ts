import { fstatSync } from 'node:fs';
import { ChunkWriter } from './chunk-writer';
import type { Output } from './output';
import { StreamWriter } from './stream-writer';

const STDOUT = 1;

/** @param onDropped called for each chunk that could not be written */
export function standardOutput(onDropped: () => void): Output {
  // A named pipe may have another reader later, which Node's stream would never write to again.
  return fstatSync(STDOUT).isSocket()
    ? new StreamWriter(process.stdout, onDropped)
    : new ChunkWriter(onDropped, STDOUT);
}
