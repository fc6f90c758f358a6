import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { ByteRange } from './byte-ranges';

export interface SentFile {
  path: string;
  size: number;
  modified: Date;
}

/** What a body is made of: text as it stands, and ranges of the file. */
export type Piece = string | ByteRange;

const CHUNK = 64 * 1024;

/** The file is no longer what its head said. */
class FileChanged extends Error {}

/** @returns the pieces of a `multipart/byteranges` body, its length and its media type (RFC 9110 §14.6) */
export function multipart(ranges: readonly ByteRange[], size: number, mediaType: string) {
  const boundary = randomUUID();
  const pieces: Piece[] = ranges.flatMap((range) => [
    `--${boundary}\r\nContent-Type: ${mediaType}\r\nContent-Range: bytes ${range.start}-${range.end}/${size}\r\n\r\n`,
    range,
    '\r\n',
  ]);
  pieces.push(`--${boundary}--\r\n`);
  const length = pieces.reduce(
    (sum, piece) => sum + (typeof piece === 'string' ? piece.length : piece.end - piece.start + 1),
    0,
  );
  return { pieces, length, mediaType: `multipart/byteranges; boundary=${boundary}` };
}

/** The last bytes wait for a look whether the file is still the same: nobody gets a mixture that looks whole. */
async function* content(handle: FileHandle, { size, modified }: SentFile, pieces: readonly Piece[]) {
  let waiting: Buffer | string | undefined;
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      if (waiting !== undefined) yield waiting;
      waiting = piece;
      continue;
    }
    for (let at = piece.start; at <= piece.end; ) {
      const wanted = Math.min(CHUNK, piece.end - at + 1);
      const { bytesRead, buffer } = await handle.read({ buffer: Buffer.allocUnsafe(wanted), position: at });
      if (bytesRead === 0) throw new FileChanged();
      if (waiting !== undefined) yield waiting;
      waiting = buffer.subarray(0, bytesRead);
      at += bytesRead;
    }
  }
  const now = await handle.stat();
  if (now.size !== size || now.mtime.getTime() !== modified.getTime()) throw new FileChanged();
  if (waiting !== undefined) yield waiting;
}

const isGone = (error: unknown): boolean =>
  error instanceof FileChanged ||
  (error instanceof Error &&
    'code' in error &&
    /^(ERR_STREAM_PREMATURE_CLOSE|ERR_STREAM_UNABLE_TO_PIPE|EPIPE|ECONNRESET)$/.test(String(error.code)));

/** Streams pieces of a file after `start` has written the head; a file that changed meanwhile breaks the connection. */
export async function sendPieces(
  response: ServerResponse,
  file: SentFile,
  pieces: readonly Piece[],
  start: () => void,
): Promise<void> {
  const handle = await open(file.path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    start();
    await pipeline(content(handle, file, pieces), response);
  } catch (error) {
    response.destroy();
    if (!isGone(error)) throw error;
  } finally {
    await handle.close();
  }
}
