import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { type EntityManager, In } from 'typeorm';
import { chunks } from '../../../platform/collections/chunks';
import type { Database } from '../../../platform/database/database';
import { insertAll } from '../../../platform/database/queries/insert-all';
import { encodingSuffix, parseManifest, type SiteManifest } from '../../../routing/sites/manifest';
import { SiteVersion } from '../site-version.entity';
import { ContentPart } from './content.entity';
import { type ContentStore, toDigest } from './content-store';

const PART_BYTES = 1024 * 1024;

/** Lists the names of all objects in the content store that a manifest refers to. */
export function listContentNames({ files, ruleFiles }: SiteManifest): string[] {
  const names = new Set(ruleFiles);
  for (const { sha256, encodings = [] } of Object.values(files)) {
    names.add(sha256);
    for (const encoding of encodings) names.add(sha256 + encodingSuffix[encoding]);
  }
  return [...names];
}

/** Whether the manifest and every file of a version are on this machine. False for a version that does not exist. */
export async function isVersionComplete(read: EntityManager, store: ContentStore, id: string): Promise<boolean> {
  const version = await read.findOneBy(SiteVersion, { _id: id });
  if (!version?.manifestDigest) return false;
  const { files } = parseManifest(version.manifest);
  return store.hasAll(new Set([version.manifestDigest, ...Object.values(files).map(({ sha256 }) => sha256)]));
}

/** Returns the names of objects whose parts the database does not have. */
export async function findNamesWithoutParts(database: Database, names: readonly string[]): Promise<string[]> {
  const storedNames = new Set<string>();
  for (const chunk of chunks(names)) {
    const rows = await database.read.find(ContentPart, { select: { name: true }, where: { name: In(chunk), part: 0 } });
    for (const { name } of rows) storedNames.add(name);
  }
  return names.filter((name) => !storedNames.has(name));
}

/** Stores the parts of a file in one transaction, so that the first part proves that all parts are stored. */
export async function storeParts(database: Database, store: ContentStore, name: string): Promise<void> {
  const handle = await open(store.toObjectPath(name));
  try {
    await database.concurrentWrite(async (manager) => {
      const buffer = Buffer.allocUnsafe(PART_BYTES);
      for (let part = 0; ; part += 1) {
        const { bytesRead } = await handle.read(buffer, 0, PART_BYTES, part * PART_BYTES);
        // An empty file has one empty part.
        if (bytesRead === 0 && part > 0) return;
        const bytes = buffer.toString('base64', 0, bytesRead);
        await insertAll(manager, ContentPart, [{ name, part, bytes }], { ignoreExisting: true });
      }
    });
  } finally {
    await handle.close();
  }
}

const createDecompressor = (name: string): Transform | undefined => {
  if (name.endsWith(encodingSuffix.br)) return createBrotliDecompress();
  return name.endsWith(encodingSuffix.gzip) ? createGunzip() : undefined;
};

/** The SHA-256 of an object, or of the uncompressed bytes of a compressed copy. @param name name or path of the object */
export async function hashDecompressed(bytes: Readable, name: string): Promise<string> {
  const hash = createHash('sha256');
  const decompressor = createDecompressor(name);
  if (decompressor) await pipeline(bytes, decompressor, hash);
  else await pipeline(bytes, hash);
  return hash.digest('hex');
}

async function* readParts(database: Database, name: string): AsyncGenerator<Buffer> {
  for (let part = 0; ; part += 1) {
    const row = await database.read.findOneBy(ContentPart, { name, part });
    if (!row) return;
    yield Buffer.from(row.bytes, 'base64');
  }
}

/** Writes parts from the database to a new file. @returns false if parts are missing or damaged */
export async function receiveParts(database: Database, name: string, file: string): Promise<boolean> {
  const handle = await open(file, 'wx', 0o600);
  await pipeline(Readable.from(readParts(database, name)), handle.createWriteStream());
  const digest = await hashDecompressed(createReadStream(file), name).catch(() => undefined);
  if (digest === toDigest(name)) return true;
  await rm(file, { force: true });
  return false;
}
