import { readFile, stat } from 'node:fs/promises';
import { siteMessages as messages } from '../sites.messages';
import { MAX_LIST_BYTES, MAX_LIST_VALUES } from './limits';
import { type PackageEntry, PackageMeter, readEntryPath, toPrintablePath } from './package-entry';
import { PackageError } from './package-error';

const [QUOTE, BACKSLASH, COMMA, OPENING_BRACE, OPENING_BRACKET] = Buffer.from('"\\,{[');
const SHA256 = /^[0-9a-f]{64}$/;

/** An upper bound for the elements and properties of a JSON text: its opening brackets and commas outside strings. */
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

/** Returns the property `files` of a JSON object, by path; undefined for any other JSON. */
function parseFiles(json: Buffer): [path: string, file: unknown][] | undefined {
  try {
    const files: unknown = JSON.parse(json.toString())?.files;
    return typeof files === 'object' && files && !Array.isArray(files) ? Object.entries(files) : undefined;
  } catch {
    return undefined;
  }
}

// This is not a zod schema, because zod's record drops the path `__proto__`.
function isListedFile(file: unknown): file is { sha256: string; size: number } {
  const { sha256, size } = (file ?? {}) as Record<string, unknown>;
  return typeof sha256 === 'string' && SHA256.test(sha256) && Number.isSafeInteger(size) && Number(size) >= 0;
}

/** Reads the file list of a package whose files are sent one by one. @throws PackageError */
export async function readFileList(file: string): Promise<PackageEntry[]> {
  if ((await stat(file)).size > MAX_LIST_BYTES) throw new PackageError(413, messages.tooLarge);
  const json = await readFile(file);
  const files = countValues(json) > MAX_LIST_VALUES ? undefined : parseFiles(json);
  if (!files) throw new PackageError(400, messages.notManifest);
  const meter = new PackageMeter();
  const sizes = new Map<string, number>();
  return files.map(([name, listedFile]) => {
    const path = readEntryPath(name);
    if (path === undefined || !isListedFile(listedFile))
      throw new PackageError(400, `${toPrintablePath(name)}: ${messages.notManifest}`);
    const { sha256, size } = listedFile;
    if ((sizes.get(sha256) ?? size) !== size) throw new PackageError(400, messages.otherSize(path));
    sizes.set(sha256, size);
    meter.addFile();
    meter.addBytes(path, size, size);
    return { path, sha256, size };
  });
}
