import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';
import { type Manifest, ManifestFault, type ManifestOwner } from './manifest';
import { manifestMessages as messages } from './manifest.messages';
import type { ManifestReply, ManifestTask } from './manifest-worker';

/** What a document of 16 MB needs at worst, several times over. */
const MEMORY_MB = 512;
const DEADLINE_MS = 8_000;

/** One document at a time: two threads at their limit would be the whole memory of a small machine. */
const enqueue = pLimit(1);

/**
 * Reads a document off the main thread.
 * @throws ManifestFault with a sentence for the screen, also when it needs more than 512 MB or 8 s
 */
export const readManifestInThread = (bytes: Uint8Array, owner: ManifestOwner): Promise<Manifest> =>
  enqueue(async () => {
    const task: ManifestTask = { bytes, owner };
    const worker = new Worker(require.resolve('./manifest-worker'), {
      workerData: task,
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    });
    try {
      const [reply]: ManifestReply[] = await once(worker, 'message', { signal: AbortSignal.timeout(DEADLINE_MS) });
      if (reply && 'manifest' in reply) return reply.manifest;
      throw new ManifestFault(reply?.fault);
    } catch (error) {
      throw isOverdemand(error) ? new ManifestFault(messages.tooDemanding, { cause: error }) : error;
    } finally {
      await worker.terminate();
    }
  });

const isOverdemand = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'AbortError' || ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'));
