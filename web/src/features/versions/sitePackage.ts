/** A file with its path inside the package. */
export interface SiteFile {
  readonly path: string;
  readonly file: File;
}

/** A package that the user has chosen. */
export type SitePackage =
  | { readonly kind: 'archive'; readonly file: File; readonly type: string }
  | { readonly kind: 'folder'; readonly files: readonly SiteFile[] };

const ARCHIVES: readonly (readonly [RegExp, string])[] = [
  [/\.zip$/i, 'application/zip'],
  [/\.(?:tgz|gz)$/i, 'application/gzip'],
];

/** Returns the media type of an archive by its name; undefined for any other file. */
export const getArchiveType = (name: string): string | undefined =>
  ARCHIVES.find(([pattern]) => pattern.test(name))?.[1];

/** The files of an `<input webkitdirectory>`. */
export const toSiteFiles = (files: readonly File[]): SiteFile[] =>
  files.map((file) => ({ path: file.webkitRelativePath || file.name, file }));

const readFile = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject));

/** Reads all entries of a folder, which browsers return in portions. */
async function readEntries(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const entries: FileSystemEntry[] = [];
  for (;;) {
    const portion = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (portion.length === 0) return entries;
    entries.push(...portion);
  }
}

const isDirectory = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;
const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;

async function readFilesBelow(entry: FileSystemEntry, path: string): Promise<SiteFile[]> {
  if (isFile(entry)) return [{ path, file: await readFile(entry) }];
  if (!isDirectory(entry)) return [];
  const files: SiteFile[] = [];
  for (const child of await readEntries(entry)) files.push(...(await readFilesBelow(child, `${path}/${child.name}`)));
  return files;
}

/** Returns a function that reads the package of a drop, or undefined if no files were dropped. */
export function readDrop(transfer: DataTransfer): (() => Promise<SitePackage>) | undefined {
  // The entries are read during the event, because the browser empties the transfer afterwards.
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  const files = [...transfer.files];
  if (files.length === 0) return undefined;
  return () => readDroppedPackage(entries, files);
}

/** Returns one dropped archive as an archive, and anything else as a folder with all dropped files. */
async function readDroppedPackage(entries: readonly FileSystemEntry[], files: readonly File[]): Promise<SitePackage> {
  const [firstFile, ...otherFiles] = files;
  const isFolder = entries.some((entry) => entry.isDirectory);
  if (firstFile && otherFiles.length === 0 && !isFolder) return toFilePackage(firstFile);
  if (!isFolder) return { kind: 'folder', files: files.map((file) => ({ path: file.name, file })) };
  const filesOfEntries = await Promise.all(entries.map((entry) => readFilesBelow(entry, entry.name)));
  return { kind: 'folder', files: filesOfEntries.flat() };
}

/** The package of a single file: an archive, or a folder with this file. */
export function toFilePackage(file: File): SitePackage {
  const type = getArchiveType(file.name);
  return type ? { kind: 'archive', file, type } : { kind: 'folder', files: [{ path: file.name, file }] };
}
