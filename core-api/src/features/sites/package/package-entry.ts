import { siteMessages as messages } from '../sites.messages';
import { MAX_FILE_BYTES, MAX_FILES, MAX_PATH_BYTES, MAX_UNPACKED_BYTES } from './limits';
import { PackageError } from './package-error';

export interface PackageEntry {
  /** The path without `./`, in Unicode form C. */
  readonly path: string;
  readonly sha256: string;
  readonly size: number;
}

/** Control characters, lone surrogates, backslashes, and the replacement character of bytes that are not UTF-8. */
const REFUSED_CHARACTERS = /[\p{Cc}\p{Cs}\\\ufffd]/u;

/** Formats a path for an error message, in one line of at most 200 characters. */
export const toPrintablePath = (path: string): string => path.replaceAll(/[\p{Cc}\p{Cs}]/gu, '?').slice(0, 200);

/**
 * Reads the path of an entry.
 * @returns undefined for the folder of the package itself
 * @throws PackageError for a path that could lead out of the package or that no URL can contain
 */
export function readEntryPath(name: string): string | undefined {
  if (Buffer.byteLength(name) > MAX_PATH_BYTES) throw new PackageError(400, messages.longPath(toPrintablePath(name)));
  const segments = name.split('/');
  if (name.startsWith('/') || REFUSED_CHARACTERS.test(name) || segments.includes('..'))
    throw new PackageError(400, messages.badPath(toPrintablePath(name)));
  const path = segments.filter((segment) => segment !== '' && segment !== '.').join('/');
  return path === '' ? undefined : path.normalize('NFC');
}

/** Counts files, folders and bytes while a package is read, so that a huge package is refused early. */
export class PackageMeter {
  private fileCount = 0;
  private folderCount = 0;
  private bytes = 0;

  /** Counts a file. @throws PackageError above the limit */
  addFile(): void {
    this.fileCount += 1;
    if (this.fileCount > MAX_FILES) throw new PackageError(413, messages.tooManyFiles);
  }

  /** Counts an entry that is not a file. Millions of such entries fit into a small package. @throws PackageError */
  addFolder(): void {
    this.folderCount += 1;
    if (this.folderCount > MAX_FILES) throw new PackageError(413, messages.tooManyFolders);
  }

  /** Counts unpacked bytes. @param fileBytes bytes of this file so far, including `count`. @throws PackageError */
  addBytes(path: string, count: number, fileBytes: number): void {
    this.bytes += count;
    if (fileBytes > MAX_FILE_BYTES) throw new PackageError(413, messages.fileTooLarge(toPrintablePath(path)));
    if (this.bytes > MAX_UNPACKED_BYTES) throw new PackageError(413, messages.tooLargeUnpacked);
  }
}
