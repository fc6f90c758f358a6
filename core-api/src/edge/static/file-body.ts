import { randomUUID } from 'node:crypto';
import type { ByteSource } from '../engine/types';
import type { ByteRange } from './byte-ranges';
import { FileChangedError, type SharedFile } from './shared-file';

/** Part of a body, as a text or as a range of the file. */
type Piece = string | ByteRange;

const CHUNK_BYTES = 64 * 1024;

const countBytes = (piece: Piece): number => (typeof piece === 'string' ? piece.length : piece.end - piece.start + 1);

/** Creates the pieces of a `multipart/byteranges` body, and its media type (RFC 9110 §14.6). */
export function createMultipart(ranges: readonly ByteRange[], size: number, mediaType: string) {
  const boundary = randomUUID();
  const pieces: Piece[] = ranges.flatMap((range) => [
    `--${boundary}\r\nContent-Type: ${mediaType}\r\nContent-Range: bytes ${range.start}-${range.end}/${size}\r\n\r\n`,
    range,
    '\r\n',
  ]);
  pieces.push(`--${boundary}--\r\n`);
  return { pieces, mediaType: `multipart/byteranges; boundary=${boundary}` };
}

/** Yields the last bytes only if the file is unchanged, so that no mixture of two versions looks complete. */
async function* readPieces(file: SharedFile, pieces: readonly Piece[]) {
  let heldBytes: Buffer | undefined;
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      if (heldBytes !== undefined) yield heldBytes;
      heldBytes = Buffer.from(piece);
      continue;
    }
    for (let position = piece.start; position <= piece.end; position += heldBytes.length) {
      const bytes = await file.read(Buffer.allocUnsafe(Math.min(CHUNK_BYTES, piece.end - position + 1)), position);
      if (heldBytes !== undefined) yield heldBytes;
      heldBytes = bytes;
    }
  }
  await file.check();
  if (heldBytes !== undefined) yield heldBytes;
}

/**
 * Streams parts of a file. If the file changes meanwhile, the body ends early, which breaks the connection.
 * @param file retained by the caller and released by the body
 */
function streamFile(file: SharedFile, pieces: readonly Piece[]): ByteSource {
  const chunks = readPieces(file, pieces);
  return {
    length: pieces.reduce((sum, piece) => sum + countBytes(piece), 0),
    async next() {
      try {
        return (await chunks.next()).value ?? undefined;
      } catch (error) {
        if (error instanceof FileChangedError) return undefined;
        throw error;
      }
    },
    close() {
      void chunks.return().finally(() => file.release());
    },
  };
}

/** Returns a body from memory or from the file. @param file retained by the caller, released here or by the body */
export function createFileBody(file: SharedFile, pieces: readonly Piece[]): Uint8Array | ByteSource {
  const { bytes } = file;
  if (!bytes) return streamFile(file, pieces);
  file.release();
  const parts = pieces.map((piece) =>
    typeof piece === 'string' ? Buffer.from(piece) : bytes.subarray(piece.start, piece.end + 1),
  );
  const [firstPart] = parts;
  // A single part is not copied.
  return firstPart && parts.length === 1 ? firstPart : Buffer.concat(parts);
}
