import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { waitFor } from '../../../../scripts/testing/program';
import { encodingSuffix } from '../../routing/sites/manifest';
import { ContentCache } from './content-cache';

const folder = mkdtempSync(join(tmpdir(), 'content-cache-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** More files than a cache holds. */
const FILE_COUNT = 600;
const MAX_OPEN = 512;
const countOpenFiles = (): number =>
  readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(folder);
    } catch {
      // The descriptor with which `readdirSync` listed the folder is closed by now.
      return false;
    }
  }).length;
const createDigest = (index: number): string => index.toString(16).padStart(64, '0');
function writeContent(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, 'x');
}

test('a file that leaves the cache while it is being opened is closed', async () => {
  const cache = new ContentCache(folder);
  for (let index = 0; index < FILE_COUNT; index += 1) writeContent(cache.getPath(createDigest(index)));
  const resources = await Promise.all(
    Array.from({ length: FILE_COUNT }, (_, index) => cache.find(createDigest(index))),
  );
  expect(resources.filter(Boolean)).toHaveLength(FILE_COUNT);
  await waitFor('the files beyond the limit are closed', () => countOpenFiles() === MAX_OPEN);
});

test('a compressed copy that cannot be opened leaves no file open', async () => {
  const cache = new ContentCache(folder);
  const digest = `${createDigest(1).slice(0, 63)}f`;
  writeContent(cache.getPath(digest));
  const countBefore = countOpenFiles();
  // A path with a NUL fails with a different error than a missing file.
  const replacedSuffix = jest.replaceProperty(encodingSuffix, 'br', '.br\0');
  await expect(cache.find(digest, ['br'])).rejects.toThrow();
  replacedSuffix.restore();
  expect(countOpenFiles()).toBeLessThanOrEqual(countBefore);
});
