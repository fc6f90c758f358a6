import { extname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';
import { RuleError } from '../../../platform/errors/rule-error';
import { toStorageError } from '../content/incoming-content';
import { siteMessages as messages } from '../sites.messages';
import type { PackageJob, PackageResult } from './package-worker';

/** Packages are unpacked and compressed two at a time; further packages wait. */
const THREADS = 2;
const MAX_HEAP_MB = 512;
/**
 * Time limits of the jobs, ms. Reading a hostile archive could take days. The edge's time-out (`STUDIO_TIMEOUT_MS`) is
 * longer than `read`. A slow disk needs minutes to store 20,000 files.
 */
const TIME_LIMITS_MS = { read: 45_000, finish: 600_000 } as const;
const WORKER = join(__dirname, `package-worker${extname(__filename)}`);

const threadQueue = pLimit(THREADS);

async function runInThread(job: PackageJob): Promise<PackageResult> {
  const worker = new Worker(WORKER, { workerData: job, resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB } });
  const result = new Promise<PackageResult>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('the thread ended without a result')));
  });
  const abort = new AbortController();
  const tooSlow: PackageResult = { kind: 'refused', status: 400, message: messages.tooSlow };
  try {
    return await Promise.race([result, sleep(TIME_LIMITS_MS[job.task], tooSlow, { signal: abort.signal })]);
  } finally {
    abort.abort();
    // The caller removes the job's folder, so the thread must no longer write into it.
    await worker.terminate();
  }
}

/** Runs a job of a package in a separate thread. @throws RuleError invalid, tooLarge, noSpace */
export async function runPackageJob<Job extends PackageJob>(
  job: Job,
): Promise<Extract<PackageResult, { kind: Job['task'] }>> {
  const result = await threadQueue(() => runInThread(job));
  if (result.kind === 'refused') throw new RuleError(result.status === 413 ? 'tooLarge' : 'invalid', result.message);
  if (result.kind === 'failed') throw toStorageError(Object.assign(new Error(result.message), { code: result.code }));
  return result as Extract<PackageResult, { kind: Job['task'] }>;
}
