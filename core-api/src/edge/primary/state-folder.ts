import { mkdir, open, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** Files of the edge in `DATA_DIR/edge`: mode 0600, replaced atomically. */
export class StateFolder {
  private readonly folder: string;

  constructor(dataDir: string) {
    this.folder = join(dataDir, 'edge');
  }

  /** @returns the value and the file's modification time in ms since the epoch; undefined without a file */
  async read(name: string): Promise<{ value: unknown; at: number } | undefined> {
    try {
      const file = join(this.folder, name);
      return { value: JSON.parse(await readFile(file, 'utf8')), at: (await stat(file)).mtimeMs };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async write(name: string, value: unknown): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const path = join(this.folder, name);
    const file = await open(`${path}.new`, 'w', 0o600);
    try {
      await file.writeFile(JSON.stringify(value));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(`${path}.new`, path);
  }

  /** Sets the modification time: the content is still current. */
  async touch(name: string): Promise<void> {
    const now = new Date();
    await utimes(join(this.folder, name), now, now);
  }

  async remove(name: string): Promise<void> {
    await rm(join(this.folder, name), { force: true });
  }
}
