import { constants, existsSync } from 'node:fs';
import { type FileHandle, mkdir, open, rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { getErrorCode } from '../../platform/errors/error-details';
import type { ConfigPosition, RowChange } from '../../routing/config-snapshot';
import { formatCommit, formatHeader, formatRows, readSnapshot } from './snapshot-format';

/** A new base is written when the appended updates are longer than both this limit and the base. */
const MIN_APPENDED_BYTES = 4 * 1024 * 1024;

/** Returns the path of the snapshot, from which workers load the configuration. */
export const getSnapshotPath = (dataDir: string): string => join(dataDir, 'edge/snapshot.json');

/** A complete configuration that is being written beside the current file. */
export interface SnapshotBase {
  add(changes: readonly RowChange[]): Promise<void>;
  /** Replaces the current file, and adds the updates that were appended meanwhile. */
  finish(position: ConfigPosition): Promise<void>;
  /** Discards an unfinished base. The current file stays. */
  abandon(): Promise<void>;
}

/**
 * `snapshot.json` has a base of all rows and the rows of each later update, one per line (`snapshot-format.ts`).
 * Updates without a commit line are ignored, so an interrupted write loses only its own update.
 */
export class SnapshotFile {
  /** Undefined while no update can be appended. */
  private file: FileHandle | undefined;
  private hasAllUpdates: boolean;
  /** Length of the base and the complete updates, bytes. */
  private length = 0;
  private baseLength = 0;
  private isFlushed = true;
  /** Updates that are appended while a new base is being written. */
  private appendedMeanwhile: string[] | undefined;

  constructor(private readonly path: string) {
    // Workers may load the file that the previous process left, even before `restore` has read it.
    this.hasAllUpdates = existsSync(path);
  }

  /** Returns whether the file has all updates, so that workers may load it. */
  get isCurrent(): boolean {
    return this.hasAllUpdates;
  }

  get needsNewBase(): boolean {
    const appendedBytes = this.length - this.baseLength;
    return !this.file || (appendedBytes > this.baseLength && appendedBytes > MIN_APPENDED_BYTES);
  }

  /**
   * Reads the file and, if updates can be appended to it, truncates it after its last commit line. A file without a
   * header or a commit line is renamed to `{name}.invalid`.
   * @param onRows called for all rows in their order, even if the file turns out to be invalid
   * @returns installation, position and modification time (ms since the epoch), undefined without a file, or 'invalid'
   */
  async restore(onRows: (changes: RowChange[]) => void) {
    let header: { installationId: string | undefined; isEarlierFormat: boolean } | undefined;
    let position: ConfigPosition | undefined;
    try {
      for await (const entry of readSnapshot(this.path)) {
        if (entry.kind === 'header') header = entry;
        else if (entry.kind === 'rows') onRows(entry.changes);
        else {
          position = entry.position;
          this.length = entry.end;
          this.baseLength ||= entry.end;
        }
      }
    } catch (error) {
      this.hasAllUpdates = false;
      if (getErrorCode(error) === 'ENOENT') return undefined;
      throw error;
    }
    if (!header || !position) {
      this.hasAllUpdates = false;
      await rename(this.path, `${this.path}.invalid`);
      return 'invalid';
    }
    const modifiedAtMs = (await stat(this.path)).mtimeMs;
    // A file of an earlier build, or one that this user may not write, gets no updates. The next base replaces it.
    if (!header.isEarlierFormat) await this.prepareForUpdates(modifiedAtMs).catch(() => undefined);
    return { installationId: header.installationId, position, modifiedAtMs };
  }

  private async prepareForUpdates(modifiedAtMs: number): Promise<void> {
    const file = await open(this.path, constants.O_WRONLY);
    await file.truncate(this.length);
    // The modification time tells the age of the configuration, so the truncation must not change it.
    await file.utimes(modifiedAtMs / 1000, modifiedAtMs / 1000);
    this.file = file;
  }

  /** Appends one update. @throws after a failed write, which makes the file unusable until its next base */
  async append(changes: readonly RowChange[], position: ConfigPosition): Promise<void> {
    const text = formatRows(changes) + formatCommit(position);
    this.appendedMeanwhile?.push(text);
    const { file } = this;
    if (!file) {
      this.hasAllUpdates = false;
      return;
    }
    // A base that replaces the file during the write contains the update, and its length includes the update.
    try {
      await writeAt(file, text, this.length);
    } catch (error) {
      if (this.file !== file) return;
      this.discard();
      throw error;
    }
    if (this.file !== file) return;
    this.length += Buffer.byteLength(text);
    this.isFlushed = false;
  }

  /** Makes workers wait for a new base before they load the file. */
  discard(): void {
    void this.file?.close().catch(() => undefined);
    this.file = undefined;
    this.hasAllUpdates = false;
  }

  /** Begins a new base. Updates may be appended meanwhile. */
  async startBase(installationId: string | undefined): Promise<SnapshotBase> {
    await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
    const file = await open(`${this.path}.new`, 'w', 0o600);
    // The header is written with the first rows, so `abandon` closes the file also after a failed write of the header.
    let [length, header] = [0, formatHeader(installationId)];
    const write = async (text: string) => {
      await writeAt(file, header + text, length);
      length += Buffer.byteLength(header + text);
      header = '';
    };
    const pendingUpdates: string[] = [];
    this.appendedMeanwhile = pendingUpdates;
    let isFinished = false;
    const writePendingUpdates = async () => {
      for (let text = pendingUpdates.shift(); text !== undefined; text = pendingUpdates.shift()) await write(text);
    };
    return {
      add: (changes) => write(formatRows(changes)),
      abandon: async () => {
        if (isFinished) return;
        if (this.appendedMeanwhile === pendingUpdates) this.appendedMeanwhile = undefined;
        await file.close().catch(() => undefined);
      },
      finish: async (position) => {
        await write(formatCommit(position));
        const baseLength = length;
        await file.datasync();
        await writePendingUpdates();
        await rename(`${this.path}.new`, this.path);
        // These updates were appended between the last write and the renaming.
        await writePendingUpdates();
        this.discard();
        isFinished = true;
        this.appendedMeanwhile = undefined;
        this.file = file;
        this.length = length;
        this.baseLength = baseLength;
        this.isFlushed = false;
        this.hasAllUpdates = true;
      },
    };
  }

  async flush(): Promise<void> {
    if (this.isFlushed || !this.file) return;
    this.isFlushed = true;
    await this.file.datasync();
  }

  /** Sets the modification time, because the content is still current. */
  async touch(): Promise<void> {
    const now = new Date();
    await this.file?.utimes(now, now);
  }
}

async function writeAt(file: FileHandle, text: string, start: number): Promise<void> {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, written, bytes.length - written, start + written);
    written += bytesWritten;
  }
}
