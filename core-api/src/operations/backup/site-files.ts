import { chmod, lstat, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import type { QueryRunner } from 'typeorm';
import { hashDecompressed, listContentNames } from '../../features/sites';
import { getErrorCode } from '../../platform/errors/error-details';
import { RuleError } from '../../platform/errors/rule-error';
import { parseManifest } from '../../routing/sites/manifest';
import { backupMessages as messages } from './backup.messages';

/*
 * A backup contains the content of versions and the folder `DATA_DIR/sites`, in a table of file parts with paths
 * relative to `DATA_DIR`.
 */

export const FILES_TABLE = 'backup_files';

const OBJECTS = 'content/objects';
const SITES = 'sites';
const PART_BYTES = 1024 * 1024;
const PAGE_ROWS = 1_000;
/** Suffix of a file or folder that gets its final name when it is complete. */
const RESTORING = '.restoring';

const OBJECT_PATH = /^content\/objects\/([0-9a-f]{2})\/(\1[0-9a-f]{62})(\.br|\.gz)?$/;

export interface SiteFileTotals {
  files: number;
  bytes: number;
  /** Number of the versions' files that are missing on this machine. */
  missing: number;
}

/** Files of sites in a backup. `live` means the current and the previous version of each site. */
const sitesChoices = ['live', 'all', 'none'] as const;
export type SitesChoice = (typeof sitesChoices)[number];

export const isSitesChoice = (text: string): text is SitesChoice => sitesChoices.some((choice) => choice === text);

/** Choice `live`: the served versions, and the last two different versions that each site activated. */
const LIVE_VERSIONS_SQL = `
  WITH served AS (SELECT "versionId" FROM subdomains UNION SELECT "versionId" FROM projects UNION SELECT "versionId" FROM tenants),
    numbered AS (SELECT *, ROW_NUMBER() OVER (PARTITION BY "ownerId" ORDER BY at DESC, _id DESC) AS place FROM site_activations),
    newest AS (SELECT "ownerId", "versionId" FROM numbered WHERE place = 1),
    previous AS (SELECT "ownerId", MAX(a.at) AS at FROM site_activations AS a JOIN newest USING ("ownerId")
      WHERE a."versionId" <> newest."versionId" GROUP BY "ownerId"),
    since_previous AS (SELECT a."versionId" FROM site_activations AS a JOIN previous USING ("ownerId") WHERE a.at >= previous.at)
  SELECT manifest, "manifestDigest" FROM site_versions
  WHERE state = 'ready' AND (_id IN (SELECT "versionId" FROM served) OR _id IN (SELECT "versionId" FROM since_previous))`;

const VERSIONS_SQL: Record<Exclude<SitesChoice, 'none'>, string> = {
  all: `SELECT manifest, "manifestDigest" FROM site_versions WHERE state = 'ready'`,
  live: LIVE_VERSIONS_SQL,
};

/** Returns the paths of all content that the versions in a backup refer to. @param backup the backup's database */
async function readContentPaths(backup: QueryRunner, sites: Exclude<SitesChoice, 'none'>): Promise<Set<string>> {
  const paths = new Set<string>();
  const getContentPath = (name: string) => `${OBJECTS}/${name.slice(0, 2)}/${name}`;
  const versions: { manifest: string; manifestDigest: string }[] = await backup.query(VERSIONS_SQL[sites]);
  for (const { manifest, manifestDigest } of versions) {
    paths.add(getContentPath(manifestDigest));
    for (const name of listContentNames(parseManifest(manifest))) paths.add(getContentPath(name));
  }
  return paths;
}

/** Yields the paths of the files below a folder, without links and devices. An absent folder counts as empty. */
async function* listFilesBelow(root: string, folder: string): AsyncGenerator<string> {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch((error: unknown) => {
    if (getErrorCode(error) === 'ENOENT') return [];
    throw error;
  });
  for (const entry of entries) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* listFilesBelow(root, path);
    else if (entry.isFile()) yield path;
  }
}

/** Copies a file into the backup in parts. @returns its number of bytes */
async function addFile(backup: QueryRunner, root: string, path: string): Promise<number> {
  const handle = await open(join(root, path), 'r');
  try {
    const mode = (await handle.stat()).mode & 0o777;
    for (let part = 0; ; part += 1) {
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(PART_BYTES), 0, PART_BYTES);
      // An empty file has one empty part.
      if (bytesRead > 0 || part === 0) {
        const bytes = buffer.subarray(0, bytesRead);
        await backup.query(`INSERT INTO ${FILES_TABLE} (path, part, mode, bytes) VALUES (?, ?, ?, ?)`, [
          path,
          part,
          mode,
          bytes,
        ]);
      }
      if (bytesRead < PART_BYTES) return part * PART_BYTES + bytesRead;
    }
  } finally {
    await handle.close();
  }
}

/** Adds the files of sites to a backup. @param dataDir folder that contains the files */
export async function addSiteFiles(backup: QueryRunner, dataDir: string, choice: SitesChoice): Promise<SiteFileTotals> {
  const totals: SiteFileTotals = { files: 0, bytes: 0, missing: 0 };
  await backup.query(
    `CREATE TABLE ${FILES_TABLE} (path TEXT NOT NULL, part INTEGER NOT NULL, mode INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (path, part))`,
  );
  if (choice === 'none') return totals;
  const add = async (path: string) => {
    totals.bytes += await addFile(backup, dataDir, path);
    totals.files += 1;
  };
  for (const path of await readContentPaths(backup, choice)) {
    if (await stat(join(dataDir, path)).catch(() => undefined)) await add(path);
    else totals.missing += 1;
  }
  for await (const path of listFilesBelow(dataDir, SITES)) await add(path);
  return totals;
}

interface FileRow {
  path: string;
  mode: number;
}

async function* readFileRows(backup: QueryRunner): AsyncGenerator<FileRow> {
  for (let lastPath = ''; ; ) {
    const rows: FileRow[] = await backup.query(
      `SELECT path, mode FROM ${FILES_TABLE} WHERE part = 0 AND path > ? ORDER BY path LIMIT ${PAGE_ROWS}`,
      [lastPath],
    );
    yield* rows;
    if (rows.length < PAGE_ROWS) return;
    lastPath = rows.at(-1)?.path ?? lastPath;
  }
}

async function* readParts(backup: QueryRunner, path: string): AsyncGenerator<Buffer> {
  for (let part = 0; ; part += 1) {
    const [row]: { bytes: Buffer }[] = await backup.query(
      `SELECT bytes FROM ${FILES_TABLE} WHERE path = ? AND part = ?`,
      [path, part],
    );
    if (!row) return;
    yield row.bytes;
  }
}

/** Returns whether a restore may write to this path: a content file, named by its digest, or a file below `sites`. */
const isAllowedPath = (path: string): boolean =>
  OBJECT_PATH.test(path) ||
  (path.startsWith(`${SITES}/`) &&
    !path.includes('\0') &&
    path.split('/').every((name) => name !== '' && name !== '.' && name !== '..'));

/** Compares content files with the digests in their names, and refuses forbidden paths. @throws RuleError invalid */
export async function checkSiteFiles(backup: QueryRunner, backupPath: string): Promise<void> {
  if (!(await backup.hasTable(FILES_TABLE))) return;
  for await (const { path } of readFileRows(backup)) {
    if (!isAllowedPath(path)) throw new RuleError('invalid', messages.foreign(backupPath, path));
    const [, , digest] = OBJECT_PATH.exec(path) ?? [];
    const parts = Readable.from(readParts(backup, path));
    if (digest && (await hashDecompressed(parts, path).catch(() => undefined)) !== digest)
      throw new RuleError('invalid', messages.damaged(backupPath));
  }
}

/** Creates the folder of a file. The edge may run as another user, so the mode lets others read it. */
async function createFolder(folder: string): Promise<void> {
  if (await lstat(folder).catch(() => undefined)) return;
  await createFolder(dirname(folder));
  await mkdir(folder);
  await chmod(folder, 0o755);
}

async function writeFile(backup: QueryRunner, { path, mode }: FileRow, target: string): Promise<void> {
  await createFolder(dirname(target));
  const temporaryFile = `${target}${RESTORING}`;
  await rm(temporaryFile, { force: true });
  const handle = await open(temporaryFile, 'wx', 0o600);
  try {
    // `write` may write only the first bytes, for example on a full disk. `appendFile` writes all or throws.
    for await (const bytes of readParts(backup, path)) await handle.appendFile(bytes);
    await handle.sync();
    await handle.chmod(mode & 0o755); // Only the owner may write.
  } finally {
    await handle.close();
  }
  await rename(temporaryFile, target);
}

/**
 * Writes the content files into `DATA_DIR`, and the backup's `sites` folder beside the current `sites` folder. Existing
 * content files stay, because a content file is named by its digest.
 * @returns the number of files, and a function that moves the current `sites` folder into `previousData` and puts the
 *   new folder in its place
 */
export async function prepareSiteFiles(
  backup: QueryRunner,
  dataDir: string,
): Promise<{ files: number; activate: (previousData: string) => Promise<void> }> {
  const currentFolder = join(dataDir, SITES);
  const newFolder = currentFolder + RESTORING;
  await rm(newFolder, { recursive: true, force: true });
  return {
    files: (await backup.hasTable(FILES_TABLE)) ? await writeFiles(backup, dataDir, newFolder) : 0,
    async activate(previousData) {
      if (!(await isPresent(newFolder))) return;
      if (await isPresent(currentFolder)) {
        await mkdir(previousData, { recursive: true, mode: 0o700 });
        await rename(currentFolder, join(previousData, SITES));
      }
      await rename(newFolder, currentFolder);
    },
  };
}

const isPresent = async (path: string): Promise<boolean> => (await lstat(path).catch(() => undefined)) !== undefined;

/** Writes all files of a backup. @param sitesFolder folder for the files below `sites`. @returns number of files */
async function writeFiles(backup: QueryRunner, dataDir: string, sitesFolder: string): Promise<number> {
  let fileCount = 0;
  for await (const row of readFileRows(backup)) {
    if (!isAllowedPath(row.path)) continue;
    fileCount += 1;
    const isObject = row.path.startsWith(OBJECTS);
    const target = isObject ? join(dataDir, row.path) : join(sitesFolder, row.path.slice(SITES.length + 1));
    if (!isObject || !(await isPresent(target))) await writeFile(backup, row, target);
  }
  return fileCount;
}
