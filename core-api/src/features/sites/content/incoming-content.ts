import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { link, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { getErrorCode } from '../../../platform/errors/error-details';
import { RuleError } from '../../../platform/errors/rule-error';
import { siteMessages as messages } from '../sites.messages';
import type { ContentStore } from './content-store';

const FULL_DISK_CODES = new Set(['ENOSPC', 'EDQUOT']);

/** Converts an error of the file system to an error for the caller. A full disk has its own status (507). */
export function toStorageError(error: unknown): unknown {
  return FULL_DISK_CODES.has(getErrorCode(error))
    ? new RuleError('noSpace', messages.diskFull, { cause: error })
    : error;
}

const ABORTED_CODES = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'ABORT_ERR', 'ERR_STREAM_DESTROYED']);

/** Converts an error of receiving a body to an error for the caller. */
function toReceiveError(error: unknown): unknown {
  return ABORTED_CODES.has(getErrorCode(error)) || (error instanceof Error && error.message === 'aborted')
    ? new RuleError('invalid', messages.aborted)
    : toStorageError(error);
}

const DRAIN_MS = 30_000;

/** Discards the rest of a refused body, because a client that is still sending does not read the response. */
async function drain(body: Readable): Promise<void> {
  if (body.readableEnded || body.destroyed) return;
  const whenEnded = Promise.race([once(body, 'end'), once(body, 'close')]).catch(() => undefined);
  body.resume();
  await Promise.race([whenEnded, sleep(DRAIN_MS, undefined, { ref: false })]);
}

/** Writes a body to a new file. @returns its SHA-256 and size. @throws RuleError invalid, tooLarge, noSpace */
async function receiveFile(body: Readable, file: string, maxBytes: number): Promise<{ sha256: string; size: number }> {
  const hash = createHash('sha256');
  let size = 0;
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      if (size > maxBytes) return done(new RuleError('tooLarge', messages.tooLarge));
      hash.update(chunk);
      return done(null, chunk);
    },
  });
  try {
    // The pipeline must not destroy the body, because the connection would end before the client has read the refusal.
    const chunks = body.iterator({ destroyOnReturn: false });
    await pipeline(chunks, meter, createWriteStream(file, { mode: 0o600, flags: 'wx' }));
  } catch (error) {
    await rm(file, { force: true });
    await drain(body);
    throw toReceiveError(error);
  }
  return { sha256: hash.digest('hex'), size };
}

/** The folder below `DATA_DIR/content/incoming` that receives an upload, either a package or files of a version. */
export class IncomingContent {
  readonly folder: string;

  /** @param id name of the folder: the id of a version, or a random id for a package */
  constructor(store: ContentStore, id: string = randomUUID()) {
    this.folder = join(store.incoming, id);
  }

  async create(): Promise<void> {
    try {
      await mkdir(this.folder, { recursive: true, mode: 0o700 });
    } catch (error) {
      throw toStorageError(error);
    }
  }

  remove(): Promise<void> {
    // `rm` retries, because another upload of the same version may create a file while the folder is being removed.
    return rm(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }

  /** Writes a package to a file. @returns the path of the file */
  async receivePackage(body: Readable, maxBytes: number): Promise<string> {
    const file = join(this.folder, 'package');
    await receiveFile(body, file, maxBytes);
    return file;
  }

  /** Stores a file under its digest. @throws RuleError invalid if the bytes have another digest */
  async receiveContent(body: Readable, sha256: string, maxBytes: number): Promise<void> {
    const file = join(this.folder, `${randomUUID()}.part`);
    const receivedFile = await receiveFile(body, file, maxBytes).catch((error: unknown) => {
      const isLonger = error instanceof RuleError && error.kind === 'tooLarge';
      throw isLonger ? new RuleError('invalid', messages.otherContent) : error;
    });
    if (receivedFile.sha256 !== sha256) {
      await rm(file, { force: true });
      throw new RuleError('invalid', messages.otherContent);
    }
    await rename(file, join(this.folder, sha256));
  }

  async has(sha256: string): Promise<boolean> {
    return (await stat(join(this.folder, sha256)).catch(() => undefined)) !== undefined;
  }

  /** Links the files that another upload of the same site has received. A failed link costs only another transfer. */
  async linkFrom(other: IncomingContent, digests: ReadonlySet<string>): Promise<void> {
    for (const name of await readdir(other.folder).catch(() => [])) {
      if (digests.has(name)) await link(join(other.folder, name), join(this.folder, name)).catch(() => undefined);
    }
  }
}
