import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
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

/** Runs a program asynchronously, so that the test notices connections which the core closes. */
export const execute = async (folder: string, command: string, ...args: string[]): Promise<Buffer> =>
  (await promisify(execFile)(command, args, { cwd: folder, maxBuffer: 1 << 29, encoding: 'buffer' })).stdout;

/** A tar.gz as `tar -cz -C folder .` makes it. */
export const createTar = (files: Files): Promise<Buffer> =>
  withTemporaryFolder(files, (folder) => execute(folder, 'tar', '-cz', '-C', folder, '.'));

/** A zip as `zip -r` makes it. */
export const createZip = (files: Files, ...options: string[]): Promise<Buffer> =>
  withTemporaryFolder(files, (folder) => zipFolder(folder, ...options));

export async function zipFolder(folder: string, ...options: string[]): Promise<Buffer> {
  await execute(folder, 'zip', '-q', '-r', ...options, 'package.zip', '.');
  return readFileSync(join(folder, 'package.zip'));
}

/** A zip whose entry `aaaaaa` is renamed to a path of six bytes that `zip` would not store. */
export async function createZipWithEntryName(name: string): Promise<Buffer> {
  const bytes = await createZip({ 'index.html': 'ok', aaaaaa: 'x' });
  for (let offset = bytes.indexOf('aaaaaa'); offset >= 0; offset = bytes.indexOf('aaaaaa', offset))
    bytes.write(name.slice(0, 6), offset, 'latin1');
  return bytes;
}

/** A tar.gz as `tar` makes it with further arguments, in a folder with these files and `index.html`. */
export const createTarWithArguments = (
  files: Files,
  prepare: (folder: string) => void,
  ...args: string[]
): Promise<Buffer> =>
  withTemporaryFolder({ 'index.html': 'ok', ...files }, (folder) => {
    prepare(folder);
    return execute(folder, 'tar', '-czP', ...args);
  });

/** The header of a tar's entry. @param size in octal */
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
