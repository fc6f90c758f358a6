import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '../../../../../scripts/testing/program';
import { LogFile } from './log-file';

test('a flush also waits for the queued lines of a rotated file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'log-file-'));
  const path = join(folder, 'access.log');
  // A named pipe that nobody reads simulates a slow disk.
  execFileSync('mkfifo', [path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const log = new LogFile(path, () => undefined);
  try {
    const chunkCount = 8;
    for (let chunk = 0; chunk < chunkCount; chunk += 1) log.push(Buffer.alloc(32 * 1024, 'old\n'));
    renameSync(path, `${path}.1`);
    log.reopen();
    log.push(Buffer.from('new\n'));
    expect(await log.waitUntilFlushed(200)).toBeGreaterThan(0);
    // A retried write may be in progress. It ends immediately, because the pipe is non-blocking.
    await waitFor('no write blocks the exit', () => !log.blocksExit);
    const readBuffer = Buffer.alloc(1024 * 1024);
    let received = 0;
    await waitFor('all lines have arrived', () => {
      try {
        received += readSync(reader, readBuffer);
      } catch {
        // The pipe is empty.
      }
      return received === chunkCount * 32 * 1024;
    });
    expect(await log.waitUntilFlushed()).toBe(0);
    expect([readFileSync(path, 'utf8'), log.blocksExit]).toEqual(['new\n', false]);
  } finally {
    closeSync(reader);
    rmSync(folder, { recursive: true });
  }
});
