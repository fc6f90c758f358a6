import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';
import { getErrorCode } from '../../../platform/errors/error-details';
import { ManifestError, type ManifestOwner } from './manifest';
import { manifestMessages as messages } from './manifest.messages';
import type { Manifest } from './manifest.schema';
import type { ManifestReply, ManifestTask } from './manifest-worker';

/** Several times the memory that a document of 16 MB needs. */
const MEMORY_MB = 512;
const DEADLINE_MS = 8_000;

/** The queue reads one document at a time, because two threads at their limit would fill a small machine's memory. */
const enqueue = pLimit(1);

/**
 * Reads a document in a worker thread.
 * @throws ManifestError with a message for the user, even if the document needs more than 512 MB or 8 s
 */
export const readManifestInThread = (bytes: Uint8Array, owner: ManifestOwner): Promise<Manifest> =>
  enqueue(async () => {
    const task: ManifestTask = { bytes, owner };
    const worker = new Worker(require.resolve('./manifest-worker'), {
      workerData: task,
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    });
    // `once` removes its own listeners at the deadline. Without a second listener, a later error would end the core.
    worker.on('error', () => undefined);
    try {
      const [reply]: ManifestReply[] = await once(worker, 'message', { signal: AbortSignal.timeout(DEADLINE_MS) });
      if (reply && 'manifest' in reply) return reply.manifest;
      throw new ManifestError(reply?.error);
    } catch (error) {
      throw exceedsLimits(error) ? new ManifestError(messages.tooDemanding, { cause: error }) : error;
    } finally {
      await worker.terminate();
    }
  });

const exceedsLimits = (error: unknown): boolean =>
  (error instanceof Error && error.name === 'AbortError') || getErrorCode(error) === 'ERR_WORKER_OUT_OF_MEMORY';
