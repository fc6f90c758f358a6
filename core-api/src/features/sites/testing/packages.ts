import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { crc32, createGzip, deflateRawSync } from 'node:zlib';
import type { Core, RestResponse } from '../../../testing/core';

export type Files = Record<string, string | Buffer>;

/** Writes files into a temporary folder and calls `work` with its path. */
export async function withTemporaryFolder<Result>(
  files: Files,
  work: (folder: string) => Result | Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'package-'));
  try {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs a program without blocking the event loop, so that `fetch` notices connections that the core closes. */
export const execute = async (folder: string, command: string, ...args: string[]): Promise<Buffer> =>
  (await promisify(execFile)(command, args, { cwd: folder, maxBuffer: 1 << 29, encoding: 'buffer' })).stdout;

/** Creates a tar.gz with `tar -cz -C folder .`. */
export const createTar = (files: Files): Promise<Buffer> =>
  withTemporaryFolder(files, (folder) => execute(folder, 'tar', '-cz', '-C', folder, '.'));

/** Creates a zip with `zip -r`. */
export const createZip = (files: Files, ...options: string[]): Promise<Buffer> =>
  withTemporaryFolder(files, (folder) => zipFolder(folder, ...options));

export async function zipFolder(folder: string, ...options: string[]): Promise<Buffer> {
  await execute(folder, 'zip', '-q', '-r', ...options, 'package.zip', '.');
  return readFileSync(join(folder, 'package.zip'));
}

/** Creates a zip whose entry `aaaaaa` is renamed to a path of six bytes that `zip` would not store. */
export async function createZipWithEntryName(name: string): Promise<Buffer> {
  const bytes = await createZip({ 'index.html': 'ok', aaaaaa: 'x' });
  for (let offset = bytes.indexOf('aaaaaa'); offset >= 0; offset = bytes.indexOf('aaaaaa', offset))
    bytes.write(name.slice(0, 6), offset, 'latin1');
  return bytes;
}

/** Creates a tar.gz with further arguments of `tar`, in a folder with these files and `index.html`. */
export const createTarWithArguments = (
  files: Files,
  prepare: (folder: string) => void,
  ...args: string[]
): Promise<Buffer> =>
  withTemporaryFolder({ 'index.html': 'ok', ...files }, (folder) => {
    prepare(folder);
    return execute(folder, 'tar', '-czP', ...args);
  });

/**
 * Creates a zip whose entries all have the same content. The content is compressed only once.
 * @param names of files, or of folders if they end with a slash
 */
export function createLargeZip(names: readonly string[], content: Buffer): Buffer {
  const data = deflateRawSync(content);
  // The numbers below are offsets and values of the zip format (APPNOTE.TXT, section 4.3).
  const sizes = Buffer.alloc(12);
  sizes.writeUInt32LE(crc32(content), 0);
  sizes.writeUInt32LE(data.length, 4);
  sizes.writeUInt32LE(content.length, 8);
  const [entries, directory]: [Buffer[], Buffer[]] = [[], []];
  let offset = 0;
  for (const name of names) {
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    sizes.copy(common, 10);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    const record = Buffer.alloc(46);
    record.write('PK\x01\x02\x14\0', 'latin1');
    common.copy(record, 6);
    record.writeUInt32LE(offset, 42);
    directory.push(record, Buffer.from(name));
    const entry = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), data]);
    entries.push(entry);
    offset += entry.length;
  }
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(names.length, 8);
  end.writeUInt16LE(names.length, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...entries, ...directory, end]);
}

/** Compresses parts of a tar as one gzip member. */
export async function compressTar(parts: Iterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  await pipeline(parts, createGzip(), async (compressed) => {
    for await (const chunk of compressed) chunks.push(chunk);
  });
  return Buffer.concat(chunks);
}

/** Creates the ustar header of a tar entry. The checksum counts its own field as blanks. @param size in octal */
export function createTarHeader(name: string, type: string, size: string): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write('0000644\0', 100);
  header.write(`${size.padStart(11, '0')}\0`, 124);
  header.write(`        ${type}`, 148);
  header.write('ustar\x0000', 257);
  const checksum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${checksum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

const MEDIA_TYPES = { zip: 'application/zip', gzip: 'application/gzip' } as const;

/** Sends a package. @param path below `/api` */
export async function sendPackage(
  core: Core,
  path: string,
  type: keyof typeof MEDIA_TYPES,
  body: Buffer,
  token = core.token,
): Promise<RestResponse> {
  const response = await fetch(`${core.url}/api${path}`, {
    method: 'POST',
    headers: { 'Content-Type': MEDIA_TYPES[type], Authorization: `Bearer ${token}` },
    body: new Uint8Array(body),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
}
