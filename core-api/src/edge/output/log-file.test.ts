import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../../../../scripts/testing/program';
import { LogFile } from './log-file';

test('what goes into a file that was moved away is waited for as well', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'log-file-'));
  const path = join(folder, 'access.log');
  // As slow as a disk can be.
  execFileSync('mkfifo', [path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const log = new LogFile(path, () => undefined);
  try {
    const chunks = 8;
    for (let chunk = 0; chunk < chunks; chunk += 1) log.push(Buffer.alloc(32 * 1024, 'old\n'));
    renameSync(path, `${path}.1`);
    log.reopen();
    log.push(Buffer.from('new\n'));
    expect(await log.settled(200)).toBeGreaterThan(0);
    expect(log.holdsExit).toBe(true);
    const piece = Buffer.alloc(1024 * 1024);
    let received = 0;
    await until('all has come', () => {
      try {
        received += readSync(reader, piece);
      } catch {
        // Nothing has come meanwhile.
      }
      return received === chunks * 32 * 1024;
    });
    expect(await log.settled()).toBe(0);
    expect([readFileSync(path, 'utf8'), log.holdsExit]).toEqual(['new\n', false]);
  } finally {
    closeSync(reader);
    rmSync(folder, { recursive: true });
  }
});
