import { fork } from 'node:child_process';
import { extname, join } from 'node:path';
import { HOUR_MS } from '../../platform/time/relative-time';
import type { S3Bucket } from './backup.entity';
import { backupPlanMessages as messages } from './backups.messages';

const PROGRAM = join(__dirname, `../../bin/backup-run${extname(__filename)}`);

/** A folder on an unreachable server can block a process forever. The limit is below the interval of daily backups. */
const TIME_LIMIT_MS = 12 * HOUR_MS;
/** A process that was asked to end is killed after this time, because a blocked call can prevent its exit. */
const STOP_GRACE_MS = 3_000;

/** The storage of an object, with the credentials for access. */
export type Destination = { type: 'folder'; folder: string } | ({ type: 's3'; secretAccessKey: string } & S3Bucket);

export interface BackupAccess {
  destination: Destination;
  /** Empty for an unencrypted file. */
  passphrase: string;
}

/** The recorded data of a stored object. A verification compares them with the object. */
export interface StoredObject {
  name: string;
  sha256: string;
  bytes: number;
  tables: Record<string, number>;
}

/** The work that the parent sends to its child process. */
export type BackupWork =
  | { type: 'make'; access: BackupAccess; name: string }
  | { type: 'verify'; access: BackupAccess; object: StoredObject }
  | { type: 'remove'; access: BackupAccess; name: string };

/** The child process sends `stored` before it verifies a new object, and at the end a report of another type. */
export type BackupReport =
  | { type: 'stored'; object: StoredObject }
  | { type: 'verified' }
  | { type: 'removed' }
  | { type: 'damaged' | 'failed'; reason: string };

export interface BackupProcess {
  /** The final report; `failed` after the time limit; undefined if the process ended without a final report. */
  whenEnded: Promise<BackupReport | undefined>;
  /** Asks the process to remove its files and end. */
  stop: () => void;
}

interface ProcessOptions {
  onReport?: (report: BackupReport) => void;
  /** The process is killed after this time, and its work counts as failed. */
  limitMs?: number;
}

/** Runs one piece of work in its own process, so that its memory and CPU do not delay responses of the core. */
export function startBackupProcess(
  work: BackupWork,
  { onReport = () => undefined, limitMs = TIME_LIMIT_MS }: ProcessOptions = {},
): BackupProcess {
  const child = fork(PROGRAM, { execArgv: [...process.execArgv, '--no-warnings'], stdio: ['ignore', 2, 2, 'ipc'] });
  let lastReport: BackupReport | undefined;
  child.on('message', (report: BackupReport) => {
    lastReport = report;
    onReport(report);
  });
  // The process may end before it receives the work; `whenEnded` then resolves.
  child.send(work, () => undefined);
  let killTimer: NodeJS.Timeout | undefined;
  const whenEnded = new Promise<BackupReport | undefined>((resolve) => {
    const limitTimer = setTimeout(() => {
      child.kill('SIGKILL');
      // A process in an uninterruptible call may never end, so its exit is not awaited.
      resolve({ type: 'failed', reason: messages.limit(limitMs / HOUR_MS) });
    }, limitMs);
    const finish = (report: BackupReport | undefined) => {
      clearTimeout(limitTimer);
      clearTimeout(killTimer);
      resolve(report);
    };
    child.once('error', () => finish(undefined));
    child.once('exit', () => finish(lastReport?.type === 'stored' ? undefined : lastReport));
  });
  const stop = () => {
    if (child.connected) child.disconnect();
    killTimer ??= setTimeout(() => child.kill('SIGKILL'), STOP_GRACE_MS);
  };
  return { whenEnded, stop };
}
