import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { z } from 'zod';
import { getErrorCode } from '../../platform/errors/error-details';

/** Parses a text as JSON. Returns undefined if the text is not valid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reads and writes files of the primary in `DATA_DIR/edge`: mode 0600, a versioned schema, atomic replacement. */
export class StateFolder {
  private readonly folder: string;

  constructor(
    dataDir: string,
    private readonly log: Logger,
  ) {
    this.folder = join(dataDir, 'edge');
  }

  /** Reads a file. A file that does not match the schema is renamed to `{name}.invalid`, logged and not returned. */
  async read<Value>(name: string, schema: z.ZodType<Value>): Promise<Value | undefined> {
    const path = join(this.folder, name);
    try {
      const parsed = schema.safeParse(parseJson(await readFile(path, 'utf8')));
      if (parsed.success) return parsed.data;
    } catch (error) {
      if (getErrorCode(error) === 'ENOENT') return undefined;
      throw error;
    }
    await rename(path, `${path}.invalid`);
    this.log.error({ file: `${path}.invalid` }, 'a state file is damaged or has another format, so it is not used');
    return undefined;
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

  async remove(name: string): Promise<void> {
    await rm(join(this.folder, name), { force: true });
  }
}
