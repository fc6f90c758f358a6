import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { chmod, mkdir, open, rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SET_GROUP_ID } from '../../../platform/installation/file-mode';

/** Core and edge read the objects, perhaps as two users of one group. No process writes to an object. */
const OBJECT_MODE = 0o440;
const FOLDER_MODE = 0o750;

/**
 * Publications share the lock, so that garbage collection keeps content whose version is not in the database yet.
 * Garbage collection holds the lock exclusively.
 */
class StoreLock {
  private sharedHolderCount = 0;
  private collection: Promise<unknown> | undefined;

  async runShared<Result>(work: () => Promise<Result>): Promise<Result> {
    while (this.collection) await this.collection;
    this.sharedHolderCount += 1;
    try {
      return await work();
    } finally {
      this.sharedHolderCount -= 1;
    }
  }

  /** Runs `work` while publications wait. @returns undefined without running `work` if the lock is held */
  async runExclusive<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    if (this.sharedHolderCount > 0 || this.collection) return undefined;
    const result = work();
    this.collection = result.catch(() => undefined);
    try {
      return await result;
    } finally {
      this.collection = undefined;
    }
  }
}

/** Returns the digest in an object's name: its 64 hexadecimal digits, without the suffix of a compressed copy. */
export const toDigest = (name: string): string => name.slice(0, 64);

/** `DATA_DIR/content`: objects by their SHA-256, and packages that are being received. */
export class ContentStore {
  readonly objects: string;
  readonly incoming: string;
  readonly lock = new StoreLock();

  constructor(readonly dataDir: string) {
    this.objects = join(dataDir, 'content/objects');
    this.incoming = join(dataDir, 'content/incoming');
  }

  /** Creates the folders with access for the group, because the edge may run as another user of the same group. */
  create(): void {
    mkdirSync(this.objects, { recursive: true });
    mkdirSync(this.incoming, { recursive: true, mode: 0o700 });
    for (const folder of [dirname(this.objects), this.objects]) chmodSync(folder, this.folderMode);
  }

  private get folderMode(): number {
    return (statSync(this.dataDir).mode & SET_GROUP_ID) | FOLDER_MODE;
  }

  toObjectPath(name: string): string {
    return join(this.objects, name.slice(0, 2), name);
  }

  async has(name: string): Promise<boolean> {
    return (await stat(this.toObjectPath(name)).catch(() => undefined)) !== undefined;
  }

  async hasAll(names: Iterable<string>): Promise<boolean> {
    for (const name of names) if (!(await this.has(name))) return false;
    return true;
  }

  /**
   * Moves a file of `incoming` into the store. The file is synced to the disk before the rename.
   * @param name digest, with `.br` or `.gz` for a compressed copy
   */
  async adopt(file: string, name: string): Promise<void> {
    const target = this.toObjectPath(name);
    const folder = dirname(target);
    await mkdir(folder, { recursive: true });
    await chmod(folder, this.folderMode);
    const handle = await open(file, 'r+');
    try {
      await handle.sync();
      await handle.chmod(OBJECT_MODE);
    } finally {
      await handle.close();
    }
    await rename(file, target);
  }

  /** Syncs the folders of adopted files, so that the files are still found after a power failure. */
  async syncNames(names: Iterable<string>): Promise<void> {
    for (const folder of new Set([...names].map((name) => dirname(this.toObjectPath(name))))) {
      const handle = await open(folder, 'r');
      try {
        await handle.sync();
      } finally {
        await handle.close();
      }
    }
  }
}
