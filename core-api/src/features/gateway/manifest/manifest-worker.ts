/** Reads a manifest in a worker thread. On the main thread, a large document would block every other request. */
import { parentPort, workerData } from 'node:worker_threads';
import { ManifestError, type ManifestOwner } from './manifest';
import type { Manifest } from './manifest.schema';
import { readManifest } from './read-manifest';

export interface ManifestTask {
  bytes: Uint8Array;
  owner: ManifestOwner;
}
export type ManifestReply = { manifest: Manifest } | { error: string };

function createReply({ bytes, owner }: ManifestTask): ManifestReply {
  try {
    return { manifest: readManifest(new TextDecoder().decode(bytes), owner) };
  } catch (error) {
    if (error instanceof ManifestError) return { error: error.message };
    throw error;
  }
}

parentPort?.postMessage(createReply(workerData));
