import { appendFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '../../../../scripts/testing/program';
import { SqliteChangeSignal } from './sqlite-change-signal';

const folder = mkdtempSync(join(tmpdir(), 'writes-'));
const file = join(folder, 'studio.sqlite');
const walPath = `${file}-wal`;
afterEach(() => jest.restoreAllMocks());
afterAll(() => rmSync(folder, { recursive: true }));

test('a write to the WAL shortens the pause between polls, even after SQLite has recreated the WAL', async () => {
  const signal = new SqliteChangeSignal(file);
  const pauses: number[] = [];
  signal.watch((pauseMs) => pauses.push(pauseMs));
  const waitForSignal = async (write: () => void) => {
    const countBefore = pauses.length;
    write();
    await waitFor('the event of a write', async () => pauses.length > countBefore);
  };
  await waitForSignal(() => writeFileSync(walPath, 'page'));
  rmSync(walPath);
  await waitForSignal(() => appendFileSync(walPath, 'page'));
  expect(new Set(pauses)).toEqual(new Set([5]));
  signal.close();
  expect(signal.pauseMs).toBe(30);
});

test('the pause between polls is as long as the time since the last write, at most half a second', async () => {
  const signal = new SqliteChangeSignal(file);
  let isNotified = false;
  signal.watch(() => {
    isNotified = true;
  });
  writeFileSync(walPath, 'page');
  await waitFor('the event of a write', async () => isNotified);
  const now = performance.now();
  const readPauseAt = (instant: number) => {
    jest.spyOn(performance, 'now').mockReturnValue(instant);
    return signal.pauseMs;
  };
  const firstPause = readPauseAt(now + 100);
  expect(readPauseAt(now + 140) - firstPause).toBeCloseTo(40);
  expect(readPauseAt(now + 9_000)).toBe(500);
  signal.close();
});

test('a write to another file in the folder does not notify the watcher of this database', async () => {
  const [signal, otherSignal] = [new SqliteChangeSignal(file), new SqliteChangeSignal(join(folder, 'other'))];
  const notifications: string[] = [];
  signal.watch(() => notifications.push('own'));
  otherSignal.watch(() => notifications.push('other'));
  writeFileSync(join(folder, 'other-wal'), 'x');
  await waitFor('the event of the other file', async () => notifications.length > 0);
  expect(notifications).not.toContain('own');
  signal.close();
  otherSignal.close();
});

test('for a database behind a symbolic link, the WAL beside the real file is watched', async () => {
  const link = join(folder, 'link.sqlite');
  const real = join(folder, 'volume/real.sqlite');
  mkdirSync(join(folder, 'volume'));
  writeFileSync(real, '');
  symlinkSync(real, link);
  const signal = new SqliteChangeSignal(link);
  let isNotified = false;
  signal.watch(() => {
    isNotified = true;
  });
  writeFileSync(`${real}-wal`, 'page');
  await waitFor('the event of a write', async () => isNotified, 5);
  signal.close();
});

test('the pauses between polls stay short until the folder of the database exists', async () => {
  const missing = join(folder, 'missing');
  const signal = new SqliteChangeSignal(join(missing, 'studio.sqlite'));
  let notificationCount = 0;
  signal.watch(() => {
    notificationCount += 1;
  });
  expect(signal.pauseMs).toBe(30);
  mkdirSync(missing);
  await waitFor('the folder is watched', async () => signal.pauseMs > 30, 10);
  const countBefore = notificationCount;
  writeFileSync(join(missing, 'studio.sqlite-wal'), 'page');
  await waitFor('the event of a write', async () => notificationCount > countBefore, 10);
  signal.close();
});
