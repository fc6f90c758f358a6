/** Reads one document on a thread of its own: a large one would hold up every other call. */
import { parentPort, workerData } from 'node:worker_threads';
import { type Manifest, ManifestFault, type ManifestOwner } from './manifest';
import { readManifest } from './read-manifest';

export interface ManifestTask {
  bytes: Uint8Array;
  owner: ManifestOwner;
}
export type ManifestReply = { manifest: Manifest } | { fault: string };

function reply({ bytes, owner }: ManifestTask): ManifestReply {
  try {
    return { manifest: readManifest(new TextDecoder().decode(bytes), owner) };
  } catch (error) {
    if (error instanceof ManifestFault) return { fault: error.message };
    throw error;
  }
}

parentPort?.postMessage(reply(workerData));
