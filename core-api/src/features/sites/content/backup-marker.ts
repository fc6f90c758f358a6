import { closeSync, mkdirSync, openSync, rmSync, statSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The path of the file that a backup touches regularly while it reads content. */
const toMarkerPath = (dataDir: string): string => join(dataDir, 'content/backup-running');

const REFRESH_MS = 10_000;
/** A marker that is older than this was left behind by a killed backup. */
const MAX_AGE_MS = 60_000;

/** Defers garbage collection, which another process runs, until the returned function is called. */
export function deferGarbageCollection(dataDir: string): () => void {
  const marker = toMarkerPath(dataDir);
  mkdirSync(dirname(marker), { recursive: true });
  const refresh = () => {
    closeSync(openSync(marker, 'a', 0o640));
    utimesSync(marker, new Date(), new Date());
  };
  refresh();
  const timer = setInterval(() => {
    try {
      refresh();
    } catch {
      // The next refresh comes before the marker expires, so a failed refresh does not end the backup.
    }
  }, REFRESH_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
    rmSync(marker, { force: true });
  };
}

/** Whether a backup reads content at this time. */
export function isCollectionDeferred(dataDir: string): boolean {
  const marker = statSync(toMarkerPath(dataDir), { throwIfNoEntry: false });
  return marker !== undefined && Date.now() - marker.mtimeMs < MAX_AGE_MS;
}
