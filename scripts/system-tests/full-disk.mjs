/**
 * Tests SQLite and the log on a disk that fills up three times or becomes read-only, and under another process's lock.
 * No acknowledged write is lost, and writes work again without a restart. Needs root.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Stack, waitFor } from '../testing/harness.mjs';
import { createCaller, formatStatusCounts, startWriters } from './support/caller.mjs';
import { finish, ok } from './support/results.mjs';
import { findMissingSubdomains, querySqlite } from './support/rows.mjs';

const folder = mkdtempSync(join(tmpdir(), 'system-test-disk-'));
const mounted = [];

function runCommand(program, ...args) {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stdout}${stderr}`);
}

function mountAt(name, ...args) {
  const path = join(folder, name);
  runCommand('mkdir', '-p', path);
  runCommand('mount', ...args, path);
  mounted.push(path);
  return path;
}

/** Fills the remaining space of a disk. */
function fillDisk(file) {
  const descriptor = openSync(file, 'w');
  for (const size of [65_536, 4_096, 512]) {
    try {
      for (;;) writeSync(descriptor, Buffer.alloc(size, 1));
    } catch (error) {
      if (error.code !== 'ENOSPC') throw error;
    }
  }
  closeSync(descriptor);
}

async function startCoreOn(path) {
  const stack = await Stack.start({
    processes: ['core'],
    // The core writes a log line per request, on the same disk.
    environment: { DATA_DIR: path, LOG_LEVEL: 'info' },
    logFile: join(path, 'core.log'),
  });
  const caller = createCaller(stack);
  await caller.logIn();
  return { stack, caller, file: join(path, 'studio.sqlite') };
}

/** Whether a response is a 201, or a 503 with Retry-After. */
const isExpectedResponse = ({ status, retryAfter }) => status === 201 || (status === 503 && retryAfter !== null);

/** Begins and ends a fault during writes. Looks for lost rows in the file before and after a kill of the core. */
async function testFault(name, { stack, caller, file }, acknowledged, prefix, { begin, seconds, end }) {
  const writers = startWriters(caller, prefix);
  await waitFor('the first writes', () => writers.acknowledged.length >= 20);
  await begin();
  const indexOfFault = writers.responses.length;
  await sleep(seconds * 1000);
  const readResponse = await caller.request('GET', '/subdomains?limit=1');
  const responsesDuringFault = writers.responses.slice(indexOfFault);
  const readyStatus = (await caller.fetchReadiness()).status;
  await end();
  const endedAt = Date.now();
  const firstWrite = await waitFor('a write after the fault', () =>
    writers.responses.find(({ at, status }) => at >= endedAt && status === 201),
  );
  await waitFor('some more writes', () => writers.acknowledged.length >= 40);
  await writers.stop();
  acknowledged.push(...writers.acknowledged);
  const countLost = async () =>
    findMissingSubdomains(acknowledged, await querySqlite(file, 'SELECT subdomain FROM subdomains')).length;
  const lostBefore = await countLost();
  await stack.kill('core');
  await stack.start('core');
  const lostAfter = await countLost();
  const slowestMs = Math.max(...writers.responses.map(({ ms }) => ms));
  ok(
    lostBefore === 0 && lostAfter === 0,
    `${name}: nothing acknowledged is lost`,
    `${lostBefore}, after a kill ${lostAfter} of ${acknowledged.length}`,
  );
  ok(
    writers.responses.every(isExpectedResponse),
    `${name}: every write is 201, or 503 with Retry-After`,
    `${formatStatusCounts(responsesDuringFault)} during the fault; /readyz ${readyStatus}`,
  );
  ok(readResponse.status === 200, `${name}: reads continue`, String(readResponse.status));
  ok(
    firstWrite.at + firstWrite.ms - endedAt < 2_000,
    `${name}: writes work again without a restart`,
    `${firstWrite.at + firstWrite.ms - endedAt} ms`,
  );
  ok(slowestMs < 6_000, `${name}: no call takes 6 s`, `slowest ${slowestMs} ms`);
}

/** Makes a backup and a restore on a full disk. No incomplete file remains, and the earlier data still work. */
async function testCopies({ stack }, disk, filler) {
  const file = join(folder, 'whole.backup');
  await stack.runCore('backup', file);
  const { size } = statSync(file);
  /** Lists the files, except those that SQLite creates beside an open database. */
  const listFiles = () =>
    readdirSync(disk)
      .filter((name) => !/-(wal|shm)$/.test(name))
      .sort()
      .join(' ');
  const runAndReport = (...args) =>
    stack.runCore(...args).then(
      () => 'it worked',
      (error) => error.message.trim().split('\n').at(-1),
    );
  // The free space is 0, half of the copy's size, or 8 KiB less than the copy's size.
  for (const bytesFree of [0, size / 2, size - 8_192]) {
    for (const [title, ...args] of [
      ['backup', 'backup', join(disk, 'copy')],
      ['restore', 'restore', file],
    ]) {
      fillDisk(filler);
      truncateSync(filler, Math.max(0, statSync(filler).size - bytesFree));
      const filesBefore = listFiles();
      const output = await runAndReport(...args);
      ok(
        /^(Sem espaço em disco|Não foi possível ler ou gravar)/.test(output) && listFiles() === filesBefore,
        `${title} with ${Math.round(bytesFree / 1_024)} KB left is refused and leaves no file`,
        `${output}${listFiles() === filesBefore ? '' : `; ${filesBefore} became ${listFiles()}`}`,
      );
    }
  }
  truncateSync(filler, 0);
  await stack.start('core');
  const { total } = await stack.request('GET', '/subdomains?limit=1');
  ok(total > 0, 'after these attempts the core starts with its data', `${total} subdomains`);
}

try {
  const disk = mountAt('tmpfs', '-t', 'tmpfs', '-o', 'size=24m', 'tmpfs');
  const filler = join(disk, 'filler');
  const smallDisk = await startCoreOn(disk);
  const acknowledged = [];
  for (const round of [1, 2, 3]) {
    await testFault(`disk full, round ${round}`, smallDisk, acknowledged, `full${round}`, {
      begin: async () => fillDisk(filler),
      seconds: 4,
      end: async () => truncateSync(filler, 0),
    });
  }
  const lines = readFileSync(join(disk, 'core.log'), 'utf8').split('\n').filter(Boolean);
  // The core keeps up to 8 MiB of lines in memory, so no line is lost.
  const isComplete = (line) => line.startsWith('{') && line.endsWith('}');
  const refused = lines.filter((line) => line.includes('"status":503')).length;
  ok(
    lines.every(isComplete) && refused > 100,
    'the log on the full disk has every line',
    `${lines.length} lines, ${refused} of them about a 503`,
  );

  let locker;
  await testFault('locked for 10 s', smallDisk, acknowledged, 'locked', {
    async begin() {
      const program = `const s=require('sqlite3');const d=new s.Database(process.argv[1]);d.configure('busyTimeout',5000);
        d.exec('BEGIN EXCLUSIVE',()=>{console.log('locked');setTimeout(()=>d.exec('COMMIT',()=>process.exit(0)),10000)})`;
      locker = spawn(process.execPath, ['-e', program, smallDisk.file], {
        cwd: join(import.meta.dirname, '../../core-api'),
      });
      await once(locker.stdout, 'data');
    },
    seconds: 9,
    async end() {
      if (locker.exitCode === null) await once(locker, 'exit');
    },
  });
  const [{ integrity_check: integrity }] = await querySqlite(smallDisk.file, 'PRAGMA integrity_check');
  ok(integrity === 'ok', 'the integrity check passes after full disks and a lock', integrity);
  await smallDisk.stack.kill('core', 'SIGTERM');
  await testCopies(smallDisk, disk, filler);
  await smallDisk.stack.stop();

  // A file system with open files cannot be mounted read-only, so the files become unwritable instead.
  const image = join(folder, 'image');
  runCommand('truncate', '-s', '64M', image);
  runCommand('mkfs.ext4', '-q', image);
  const ext4Disk = await startCoreOn(mountAt('ext4', '-o', 'loop', image));
  const ext4Folder = dirname(ext4Disk.file);
  const listDatabaseFiles = () => readdirSync(ext4Folder).filter((name) => /\.sqlite(-wal)?$/.test(name));
  const setAttribute = (flag) =>
    runCommand('chattr', flag, ...listDatabaseFiles().map((name) => join(ext4Folder, name)));
  await testFault('files read-only', ext4Disk, [], 'readonly', {
    begin: async () => setAttribute('+i'),
    seconds: 4,
    end: async () => setAttribute('-i'),
  });

  // ext4 becomes read-only when its disk fails. Only a new mount makes it writable again, and the core must restart for
  // the mount.
  const writers = startWriters(ext4Disk.caller, 'aborted');
  await waitFor('the first writes', () => writers.acknowledged.length >= 20);
  runCommand('mount', '-o', 'remount,abort', join(folder, 'ext4'));
  const abortedAt = Date.now();
  await sleep(3_000);
  const responsesAfter = writers.responses.filter(({ at }) => at > abortedAt);
  await writers.stop();
  await ext4Disk.stack.kill('core');
  runCommand('umount', join(folder, 'ext4'));
  spawnSync('e2fsck', ['-fy', image]);
  runCommand('mount', '-o', 'loop', image, join(folder, 'ext4'));
  await ext4Disk.stack.start('core');
  const lost = findMissingSubdomains(
    writers.acknowledged,
    await querySqlite(ext4Disk.file, 'SELECT subdomain FROM subdomains'),
  );
  ok(
    lost.length === 0,
    'file system turned read-only: nothing acknowledged is lost',
    `${lost.length} of ${writers.acknowledged.length}`,
  );
  ok(
    responsesAfter.every(isExpectedResponse),
    'file system turned read-only: every write is 201, or 503 with Retry-After',
    formatStatusCounts(responsesAfter),
  );
  await ext4Disk.stack.stop();
} finally {
  for (const path of mounted) spawnSync('umount', ['-l', path]);
  rmSync(folder, { recursive: true, force: true });
}
finish();
