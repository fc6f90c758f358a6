import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createGunzip } from 'node:zlib';
import { type Header, extract as tarExtract } from 'tar-stream';
import yauzl, { type Entry } from 'yauzl';
import { siteMessages as messages } from '../sites.messages';
import { MAX_LIST_BYTES, MAX_LIST_VALUES } from './limits';
import { type PackageEntry, PackageMeter, readEntryPath, toPrintablePath } from './package-entry';
import { PackageFault } from './package-fault';

export type PackageType = 'zip' | 'gzip' | 'json';

const TYPE_BITS = 0o170000;
const REGULAR = 0o100000;
const FOLDER = 0o040000;
/** Bit 0 of an entry's flags. */
const ENCRYPTED = 1;
const STORED = 0;
const DEFLATED = 8;
const [QUOTE, BACKSLASH, COMMA, OPENING_BRACE, OPENING_BRACKET] = Buffer.from('"\\,{[');
/** Maximum size of headers and padding between two files of a tar. Longer headers would fill the memory. */
const TAR_HEADER_BYTES = 1024 * 1024;

const isSystemError = (error: unknown): boolean => error instanceof Error && 'syscall' in error;

/** GNU tar's POSIX format marks a sparse file as a regular file, but its content begins with the map of its holes. */
const isSparse = ({ pax }: Header): boolean => Object.keys(pax ?? {}).some((name) => name.startsWith('GNU.sparse.'));

/** Refuses a package as damaged after an error of its reader. Errors of the disk are rethrown. */
function refuseDamaged(error: unknown, message: string): never {
  if (error instanceof PackageFault || isSystemError(error)) throw error;
  throw new PackageFault(400, message);
}

/** Writes one file of the package under its digest. @returns the entry, with the CRC-32 that zip archives use */
async function storeFile(folder: string, path: string, bytes: Readable, meter: PackageMeter) {
  const hash = createHash('sha256');
  let size = 0;
  let checksum = 0;
  const meterStream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      try {
        meter.addBytes(path, chunk.length, size);
        hash.update(chunk);
        checksum = crc32(chunk, checksum);
        done(null, chunk);
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)));
      }
    },
  });
  const temporaryFile = join(folder, 'entry');
  await pipeline(bytes, meterStream, createWriteStream(temporaryFile, { mode: 0o600 }));
  const sha256 = hash.digest('hex');
  await rename(temporaryFile, join(folder, sha256));
  return { path, sha256, size, crc32: checksum };
}

/** Returns the path of an entry that is a file; undefined for a folder. @throws PackageFault */
function toFilePath(entry: Entry): string | undefined {
  const raw: Buffer = entry.fileNameRaw;
  // yauzl would decode control characters as visible characters of the DOS encoding (CP437).
  if (raw.some((byte) => byte < 0x20))
    throw new PackageFault(400, messages.badPath(toPrintablePath(raw.toString('latin1'))));
  // yauzl would turn backslashes into slashes.
  const name = yauzl.getFileNameLowLevel(entry.generalPurposeBitFlag, raw, entry.extraFields, true);
  const path = readEntryPath(name);
  const type = (entry.externalFileAttributes >>> 16) & TYPE_BITS;
  if (name.endsWith('/') || type === FOLDER || path === undefined) return undefined;
  if (type !== 0 && type !== REGULAR) throw new PackageFault(400, messages.notRegular(path));
  if (entry.generalPurposeBitFlag & ENCRYPTED) throw new PackageFault(400, messages.encrypted(path));
  if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED)
    throw new PackageFault(400, messages.compression(path));
  return path;
}

/** Extracts a zip archive. Its directory is read first, so that most faults are found before any byte is unpacked. */
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
      if (path === undefined) {
        meter.addFolder();
        continue;
      }
      meter.addFile();
      fileEntries.push({ path, entry });
    }
    for (const { path, entry } of fileEntries) {
      try {
        const storedFile = await storeFile(folder, path, await zip.openReadStreamPromise(entry), meter);
        if (storedFile.crc32 !== entry.crc32) throw new PackageFault(400, messages.damaged(path));
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

async function extractTar(file: string, folder: string): Promise<PackageEntry[]> {
  const meter = new PackageMeter();
  const entries: PackageEntry[] = [];
  let remainingBytes = TAR_HEADER_BYTES;
  const headerLimit = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      remainingBytes -= chunk.length;
      if (remainingBytes < 0) done(new PackageFault(400, messages.notTar));
      else done(null, chunk);
    },
  });
  const tar = tarExtract();
  // This promise does not reject, because the iterator below throws the same error.
  const reading = pipeline(createReadStream(file), createGunzip(), headerLimit, tar).catch((error: unknown) => error);
  try {
    for await (const entry of tar) {
      const { name, type, size = 0 } = entry.header;
      remainingBytes = size + TAR_HEADER_BYTES;
      const path = readEntryPath(name);
      if (type === 'directory' || path === undefined) {
        meter.addFolder();
        meter.addBytes(name, size, size);
        entry.resume();
        continue;
      }
      if ((type !== 'file' && type !== 'contiguous-file') || isSparse(entry.header))
        throw new PackageFault(400, messages.notRegular(path));
      meter.addFile();
      meter.addBytes(path, 0, size);
      entries.push(await storeFile(folder, path, Readable.from(entry), meter));
    }
  } catch (error) {
    tar.destroy();
    const tarError = await reading;
    refuseDamaged(error instanceof PackageFault || isSystemError(error) ? error : (tarError ?? error), messages.notTar);
  }
  const tarError = await reading;
  if (tarError !== undefined) refuseDamaged(tarError, messages.notTar);
  return entries;
}

/** An upper bound for the number of values in a JSON text: its opening brackets and commas outside of strings. */
function countValues(json: Buffer): number {
  let count = 0;
  let isInString = false;
  for (let index = 0; index < json.length; index += 1) {
    const byte = json[index];
    if (byte === QUOTE) isInString = !isInString;
    else if (isInString) {
      // A backslash escapes the next byte.
      if (byte === BACKSLASH) index += 1;
    } else if (byte === COMMA || byte === OPENING_BRACE || byte === OPENING_BRACKET) count += 1;
  }
  return count;
}

/** Reads the file list of a package whose files are sent one by one. */
async function readList(file: string): Promise<PackageEntry[]> {
  if ((await stat(file)).size > MAX_LIST_BYTES) throw new PackageFault(413, messages.tooLarge);
  const json = await readFile(file);
  if (countValues(json) > MAX_LIST_VALUES) throw new PackageFault(400, messages.notManifest);
  let list: unknown;
  try {
    list = JSON.parse(json.toString());
  } catch (error) {
    if (isSystemError(error)) throw error;
    throw new PackageFault(400, messages.notManifest);
  }
  const files = typeof list === 'object' && list !== null && 'files' in list ? list.files : undefined;
  if (typeof files !== 'object' || files === null || Array.isArray(files))
    throw new PackageFault(400, messages.notManifest);
  const meter = new PackageMeter();
  return Object.entries(files).flatMap(([name, file]: [string, { sha256?: unknown; size?: unknown } | null]) => {
    const path = readEntryPath(name);
    const sha256 = file?.sha256;
    const size = file?.size;
    const isValidEntry =
      typeof sha256 === 'string' &&
      /^[0-9a-f]{64}$/.test(sha256) &&
      typeof size === 'number' &&
      Number.isSafeInteger(size) &&
      size >= 0;
    if (path === undefined || !isValidEntry)
      throw new PackageFault(400, `${toPrintablePath(name)}: ${messages.notManifest}`);
    meter.addFile();
    meter.addBytes(path, size, size);
    return [{ path, sha256, size }];
  });
}

/** Reads a package. The files of an archive are written into `folder` under their digests. @throws PackageFault */
export function readPackage(type: PackageType, file: string, folder: string): Promise<PackageEntry[]> {
  if (type === 'json') return readList(file);
  return type === 'zip' ? extractZip(file, folder) : extractTar(file, folder);
}
