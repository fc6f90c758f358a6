import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createGunzip } from 'node:zlib';
import { type ExtractEvents, type Header, extract as tarExtract } from 'tar-stream';
import yauzl, { type Entry } from 'yauzl';
import { siteMessages as messages } from '../sites.messages';
import { readFileList } from './file-list';
import { type PackageEntry, PackageMeter, readEntryPath, toPrintablePath } from './package-entry';
import { PackageError } from './package-error';

export type PackageType = 'zip' | 'gzip' | 'json';

/** File types in the mode of a Unix file. */
const TYPE_BITS = 0o170000;
const REGULAR = 0o100000;
const FOLDER = 0o040000;
const ENCRYPTED_FLAG = 1;
const STORED = 0;
const DEFLATED = 8;
/** Maximum size of headers and padding between two files of a tar. Longer headers would fill the memory. */
const TAR_HEADER_BYTES = 1024 * 1024;

const isRethrown = (error: unknown) => error instanceof PackageError || (error instanceof Error && 'syscall' in error);

/** GNU tar's POSIX format marks a sparse file as a regular file, but its content begins with the map of its holes. */
const isSparse = ({ pax }: Header): boolean => Object.keys(pax ?? {}).some((name) => name.startsWith('GNU.sparse.'));

/** Refuses a package as damaged after an error of its reader. A `PackageError` and errors of the disk are rethrown. */
function refuseDamaged(error: unknown, message: string): never {
  if (isRethrown(error)) throw error;
  throw new PackageError(400, message);
}

/** Writes one file of the package under its digest. @returns the entry, with the CRC-32 that zip archives use */
async function storeFile(folder: string, path: string, bytes: Readable, meter: PackageMeter) {
  const hash = createHash('sha256');
  let size = 0;
  let checksum = 0;
  async function* measure(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      size += chunk.length;
      meter.addBytes(path, chunk.length, size);
      hash.update(chunk);
      checksum = crc32(chunk, checksum);
      yield chunk;
    }
  }
  const temporaryFile = join(folder, 'entry');
  await pipeline(bytes, measure, createWriteStream(temporaryFile, { mode: 0o600 }));
  const sha256 = hash.digest('hex');
  await rename(temporaryFile, join(folder, sha256));
  return { path, sha256, size, crc32: checksum };
}

/** Returns the path of an entry that is a file; undefined for a folder. @throws PackageError */
function toFilePath(entry: Entry): string | undefined {
  const raw: Buffer = entry.fileNameRaw;
  // yauzl would decode control characters as visible characters of the DOS encoding (CP437).
  if (raw.some((byte) => byte < 0x20))
    throw new PackageError(400, messages.badPath(toPrintablePath(raw.toString('latin1'))));
  // `strictFileNames` is true, because otherwise yauzl would turn backslashes into slashes.
  const name = yauzl.getFileNameLowLevel(entry.generalPurposeBitFlag, raw, entry.extraFields, true);
  const path = readEntryPath(name);
  const type = (entry.externalFileAttributes >>> 16) & TYPE_BITS;
  if (name.endsWith('/') || type === FOLDER || path === undefined) return undefined;
  if (type !== 0 && type !== REGULAR) throw new PackageError(400, messages.notRegular(path));
  if (entry.generalPurposeBitFlag & ENCRYPTED_FLAG) throw new PackageError(400, messages.encrypted(path));
  if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED)
    throw new PackageError(400, messages.compression(path));
  return path;
}

/** Extracts a zip archive. Its central directory is read first, so that most errors are found before unpacking. */
async function extractZip(file: string, folder: string): Promise<PackageEntry[]> {
  const meter = new PackageMeter();
  const fileEntries: { path: string; entry: Entry }[] = [];
  const entries: PackageEntry[] = [];
  const zip = await yauzl
    .openPromise(file, { lazyEntries: true, autoClose: false, validateEntrySizes: true, decodeStrings: false })
    .catch((error: unknown) => refuseDamaged(error, messages.notZip));
  try {
    for await (const entry of zip.eachEntry()) {
      const path = toFilePath(entry);
      if (path === undefined) meter.addFolder();
      else {
        meter.addFile();
        fileEntries.push({ path, entry });
      }
    }
    for (const { path, entry } of fileEntries) {
      try {
        const storedFile = await storeFile(folder, path, await zip.openReadStreamPromise(entry), meter);
        if (storedFile.crc32 !== entry.crc32) throw new PackageError(400, messages.damaged(path));
        entries.push(storedFile);
      } catch (error) {
        refuseDamaged(error, messages.damaged(path));
      }
    }
  } catch (error) {
    refuseDamaged(error, messages.notZip);
  } finally {
    zip.close();
  }
  return entries;
}

/** Stores a file entry, after a check of its stated size. Returns undefined for a folder. @throws PackageError */
async function storeTarEntry(
  entry: ExtractEvents['entry'][1],
  folder: string,
  meter: PackageMeter,
): Promise<PackageEntry | undefined> {
  const { name, type, size } = entry.header;
  const path = readEntryPath(name);
  if (type === 'directory' || path === undefined) {
    meter.addFolder();
    meter.addBytes(name, size, size);
    entry.resume();
    return undefined;
  }
  if ((type !== 'file' && type !== 'contiguous-file') || isSparse(entry.header))
    throw new PackageError(400, messages.notRegular(path));
  meter.addFile();
  meter.addBytes(path, 0, size);
  return storeFile(folder, path, Readable.from(entry), meter);
}

async function extractTar(file: string, folder: string): Promise<PackageEntry[]> {
  const meter = new PackageMeter();
  const entries: PackageEntry[] = [];
  let remainingBytes = TAR_HEADER_BYTES;
  const headerLimit = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      remainingBytes -= chunk.length;
      done(remainingBytes < 0 ? new PackageError(400, messages.notTar) : null, chunk);
    },
  });
  const tar = tarExtract();
  // This promise does not reject, because the iterator below throws the same error.
  const reading = pipeline(createReadStream(file), createGunzip(), headerLimit, tar).catch((error: unknown) => error);
  try {
    for await (const entry of tar) {
      remainingBytes = entry.header.size + TAR_HEADER_BYTES;
      const storedEntry = await storeTarEntry(entry, folder, meter);
      if (storedEntry) entries.push(storedEntry);
    }
  } catch (error) {
    tar.destroy();
    const tarError = await reading;
    refuseDamaged(isRethrown(error) ? error : (tarError ?? error), messages.notTar);
  }
  const tarError = await reading;
  if (tarError !== undefined) refuseDamaged(tarError, messages.notTar);
  return entries;
}

/** Reads a package. The files of an archive are written into `folder` under their digests. @throws PackageError */
export function readPackage(type: PackageType, file: string, folder: string): Promise<PackageEntry[]> {
  if (type === 'json') return readFileList(file);
  return type === 'zip' ? extractZip(file, folder) : extractTar(file, folder);
}
