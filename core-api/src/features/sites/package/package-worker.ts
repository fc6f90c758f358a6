import { parentPort, workerData } from 'node:worker_threads';
import { ContentStore } from '../content/content-store';
import { type PackageType, readPackage } from './extract';
import { type FinishedPackage, type FinishJob, PackageFinisher } from './finish-package';
import { PackageError } from './package-error';
import { type SelectedFiles, selectFiles } from './select-files';

export type PackageJob =
  | { readonly task: 'read'; readonly type: PackageType; readonly file: string; readonly folder: string }
  | ({ readonly task: 'finish'; readonly dataDir: string } & FinishJob);

/** A successful job has a result whose `kind` is the job's `task`. */
export type PackageResult =
  | { readonly kind: 'read'; readonly selection: SelectedFiles }
  | { readonly kind: 'finish'; readonly finishedPackage: FinishedPackage }
  | { readonly kind: 'refused'; readonly status: 400 | 413; readonly message: string }
  | { readonly kind: 'failed'; readonly code: string | undefined; readonly message: string };

async function runJob(job: PackageJob): Promise<PackageResult> {
  if (job.task === 'finish') {
    const finishedPackage = await new PackageFinisher(new ContentStore(job.dataDir), job).finish();
    return { kind: 'finish', finishedPackage };
  }
  return { kind: 'read', selection: selectFiles(await readPackage(job.type, job.file, job.folder)) };
}

function toFailure(error: unknown): PackageResult {
  if (error instanceof PackageError) return { kind: 'refused', status: error.status, message: error.message };
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  return { kind: 'failed', code, message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

// A thread runs one job and then ends, which releases the memory of the job.
void runJob(workerData as PackageJob)
  .catch(toFailure)
  .then((result) => parentPort?.postMessage(result));
