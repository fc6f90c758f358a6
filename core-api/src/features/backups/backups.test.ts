import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DataSource } from 'typeorm';
import { waitFor } from '../../../../scripts/testing/program';
import { CHEAP_KEYS, fastClock } from '../../../../scripts/testing/stack';
import { runCommand } from '../../testing/command';
import { Core, getStatusAndFields } from '../../testing/core';
import { S3_KEY, startS3 } from '../../testing/s3';
import { chooseRemovals } from './backup-retention';
import { findNextRun, findOverdueAt, findScheduleViolation } from './backup-schedule';

const PASSPHRASE = 'quatro palavras que ninguém sabe';
const folder = mkdtempSync(join(tmpdir(), 'backups-'));
let core: Core;
let s3: Awaited<ReturnType<typeof startS3>>;
beforeAll(async () => {
  s3 = await startS3();
  // The fast clock shortens the intervals at which lost runs, due backups and alerts are looked for.
  const clock = fastClock(10);
  core = await new Core({ ...clock, NODE_OPTIONS: `${clock.NODE_OPTIONS} ${CHEAP_KEYS}` }).start();
  await core.request('POST', '/subdomains', {
    body: { subdomain: 'loja', description: 'x', type: 'proxy', port: 4000 },
  });
  await core.request('PUT', '/settings', { body: { telegramBotToken: '1:segredo', telegramChatId: '42' } });
});
afterAll(async () => {
  await core.stop();
  await s3.stop();
  rmSync(folder, { recursive: true });
});

const savePlan = (body: object) => core.request('PUT', '/backup-plan', { body });
const findBackup = async (id: string) =>
  (await core.request('GET', '/backups')).body.backups.find((backup: { _id: string }) => backup._id === id);

/** Waits until no process works on the backup. */
const waitForBackup = (id: string) =>
  waitFor('the end of the work on a backup', async () => {
    const backup = await findBackup(id);
    return backup.state !== 'running' && backup;
  });
const waitForRemoval = (id: string) => waitFor('the removal of a backup', async () => !(await findBackup(id)).stored);
async function makeBackup() {
  const { status, body } = await core.request('POST', '/backups');
  expect(status).toBe(202);
  return waitForBackup(body._id);
}
async function verifyBackup(id: string) {
  expect((await core.request('POST', `/backups/${id}/verify`)).status).toBe(202);
  return waitForBackup(id);
}
async function findOpenAlert(): Promise<{ reason: string } | undefined> {
  return (await core.request('GET', '/alerts?state=open&kind=backup')).body.alerts[0];
}
const waitForAlert = () => waitFor('an alert about backups', findOpenAlert);
const waitForAlertEnd = () => waitFor('the end of the alert', async () => (await findOpenAlert()) === undefined);

/** Counts the rows of each table in an unencrypted backup. */
async function countRows(file: string): Promise<Record<string, number>> {
  const source = await new DataSource({ type: 'sqlite', database: file }).initialize();
  const tables: { name: string }[] = await source.query(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables) counts[name] = (await source.query(`SELECT COUNT(*) AS n FROM "${name}"`))[0].n;
  await source.destroy();
  return counts;
}

/** Decrypts a file in a child process, because only an ES module can import the library. */
function decrypt(from: string, to: string): void {
  const program = `
    import { Decrypter } from 'age-encryption';
    import { readFileSync, writeFileSync } from 'node:fs';
    const [from, to, passphrase] = process.argv.slice(1);
    const decrypter = new Decrypter();
    decrypter.addPassphrase(passphrase);
    writeFileSync(to, await decrypter.decrypt(readFileSync(from)));`;
  execFileSync(process.execPath, ['--input-type=module', '-e', program, from, to, PASSPHRASE], { cwd: __dirname });
}

/** Returns a copy with one changed bit in the middle. */
function flipBit(bytes: Buffer): Buffer {
  const changedBytes = Buffer.from(bytes);
  const middle = Math.floor(changedBytes.length / 2);
  changedBytes.writeUInt8(changedBytes.readUInt8(middle) ^ 1, middle);
  return changedBytes;
}

describe('a backup plan', () => {
  test('is refused with a message for each invalid field', async () => {
    const invalidPlan = { schedule: '* * *', keepDaily: -1, folder: 'relativa', passphrase: 'curta' };
    const { status, body } = await savePlan(invalidPlan);
    expect([status, Object.keys(body.fields).sort()]).toEqual([400, ['folder', 'keepDaily', 'passphrase', 'schedule']]);
    const invalidBucket = { ...s3.bucket, endpoint: 'ftp://x', bucket: '' };
    const bucketResponse = await savePlan({ s3: invalidBucket, passphrase: PASSPHRASE });
    expect(bucketResponse.status).toBe(400);
    expect(Object.keys(bucketResponse.body.fields).sort()).toEqual(['s3.bucket', 's3.endpoint']);
    expect(getStatusAndFields(await savePlan({ s3: 'copias', passphrase: PASSPHRASE }))).toEqual([400, ['s3']]);
  });

  test('is refused if two of its backups are less than an hour apart', async () => {
    const { status, body } = await savePlan({ schedule: '0,30 * * * *' });
    expect([status, body.fields.schedule]).toEqual([400, expect.stringContaining('uma hora')]);
  });

  test('is refused if its schedule never occurs, with a message that gives the ranges of the cron fields', async () => {
    const { status, body } = await savePlan({ schedule: '99 3 * * *' });
    expect([status, body.fields.schedule]).toEqual([400, expect.stringContaining('minuto de 0 a 59')]);
  });

  test('is refused if it has a bucket, but no passphrase', async () => {
    await savePlan({ s3: null, folder, passphrase: null });
    expect(getStatusAndFields(await savePlan({ s3: s3.bucket }))).toEqual([400, ['passphrase']]);
  });

  test('is refused if its bucket is at an address of this installation', async () => {
    const response = await savePlan({ s3: { ...s3.bucket, endpoint: core.url }, passphrase: PASSPHRASE });
    expect(getStatusAndFields(response)).toEqual([400, ['s3.endpoint']]);
  });

  test('is not changed before a confirmation of the password', async () => {
    await core.query('DELETE FROM sudo_sessions');
    const response = await core.request('PUT', '/backup-plan', { body: { keepDaily: 7 }, sudo: false });
    expect([response.status, response.body.sudoRequired]).toEqual([403, true]);
  });

  test('keeps its secrets out of responses and encrypts them in its row', async () => {
    const saveResponse = await savePlan({ s3: s3.bucket, passphrase: PASSPHRASE });
    expect([saveResponse.status, saveResponse.body.encrypted]).toEqual([200, true]);
    const responseText = JSON.stringify([saveResponse.body, (await core.request('GET', '/backup-plan')).body]);
    const storedText = JSON.stringify(await core.query('SELECT * FROM backup_plan'));
    for (const secret of [PASSPHRASE, S3_KEY.secretAccessKey]) expect(responseText + storedText).not.toContain(secret);
  });
});

describe('a backup in a folder', () => {
  let backup: Awaited<ReturnType<typeof makeBackup>>;
  beforeAll(async () => {
    await savePlan({ s3: null, folder, passphrase: PASSPHRASE });
    backup = await makeBackup();
  });

  test('is encrypted in the age format, readable by its owner only, and has the listed number of rows', async () => {
    expect(backup).toMatchObject({ state: 'verified', stored: true, reason: null });
    expect(statSync(backup.location).mode & 0o777).toBe(0o600);
    const decryptedFile = join(folder, 'plain');
    decrypt(backup.location, decryptedFile);
    const { migrations: _migrations, backup_manifest: _manifest, ...rows } = await countRows(decryptedFile);
    expect(Object.values(rows).reduce((sum, count) => sum + count, 0)).toBe(backup.rows);
    expect(rows.subdomains).toBe(1);
    // The child process has removed its working folder.
    expect(readdirSync(core.folder)).not.toContain('backup-run');
  });

  test('is restored only with a file that contains its passphrase', async () => {
    const restoredFolder = mkdtempSync(join(tmpdir(), 'restored-'));
    const passphraseFile = join(folder, 'passphrase');
    const restore = (args: string[]) => runCommand('restore', [backup.location, ...args], { DATA_DIR: restoredFolder });
    expect((await restore([])).stderr).toContain('--passphrase-file');
    writeFileSync(passphraseFile, 'uma outra frase secreta\n');
    expect((await restore(['--passphrase-file', passphraseFile])).stderr).toContain('não pôde ser decifrado');
    writeFileSync(passphraseFile, `${PASSPHRASE}\n`);
    expect(await restore(['--passphrase-file', passphraseFile])).toMatchObject({ code: 0, stderr: '' });
    const { migrations: _migrations, ...rows } = await countRows(join(restoredFolder, 'studio.sqlite'));
    expect(Object.values(rows).reduce((sum, count) => sum + count, 0)).toBe(backup.rows);
    rmSync(restoredFolder, { recursive: true });
  });

  test('is not left decrypted on the disk by a restore that was killed, once a restore runs again', async () => {
    const restoredFolder = mkdtempSync(join(tmpdir(), 'restored-'));
    const decryptedFile = join(restoredFolder, 'restore-run/plain.backup');
    mkdirSync(dirname(decryptedFile));
    writeFileSync(decryptedFile, 'segredo');
    const args = [backup.location, '--passphrase-file', decryptedFile];
    expect((await runCommand('restore', args, { DATA_DIR: restoredFolder })).code).toBe(1);
    expect(existsSync(decryptedFile)).toBe(false);
    rmSync(restoredFolder, { recursive: true });
  });

  test('is restored from a folder `restore` in DATA_DIR, where it stays', async () => {
    const restoredFolder = mkdtempSync(join(tmpdir(), 'restored-'));
    const [file, passphraseFile] = [join(restoredFolder, 'restore/a.backup'), join(restoredFolder, 'restore/frase')];
    mkdirSync(dirname(file));
    copyFileSync(backup.location, file);
    writeFileSync(passphraseFile, `${PASSPHRASE}\n`);
    const args = [file, '--passphrase-file', passphraseFile];
    expect(await runCommand('restore', args, { DATA_DIR: restoredFolder })).toMatchObject({ code: 0, stderr: '' });
    expect(readdirSync(dirname(file)).sort()).toEqual(['a.backup', 'frase']);
    rmSync(restoredFolder, { recursive: true });
  });

  test('counts as damaged if one bit of its file changes, and has an alert until a verification succeeds', async () => {
    const original = readFileSync(backup.location);
    writeFileSync(backup.location, flipBit(original));
    expect((await verifyBackup(backup._id)).state).toBe('damaged');
    expect(await waitForAlert()).toMatchObject({ reason: expect.stringContaining('danificado') });
    writeFileSync(backup.location, original);
    expect((await verifyBackup(backup._id)).state).toBe('verified');
    await waitForAlertEnd();
  });
});

describe('an unencrypted backup in a folder', () => {
  beforeAll(() => savePlan({ s3: null, folder, passphrase: null }));

  test('counts as damaged if its file was removed', async () => {
    const backup = await makeBackup();
    rmSync(backup.location);
    expect(await verifyBackup(backup._id)).toMatchObject({
      state: 'damaged',
      reason: 'O arquivo guardado não existe mais.',
    });
  });

  test('is verified or removed by another machine only if the folder is shared', async () => {
    const earlierBackup = await makeBackup();
    const backup = await makeBackup();
    const assignToOtherMachine = () =>
      core.query(`UPDATE backup_runs SET "machineId" = 'outra' WHERE _id = '${backup._id}'`);
    await assignToOtherMachine();
    expect((await verifyBackup(backup._id)).state).toBe('verified');
    await assignToOtherMachine();
    renameSync(backup.location, `${backup.location}.na-outra`);
    const response = await core.request('POST', `/backups/${backup._id}/verify`);
    expect([response.status, response.body.error]).toEqual([409, expect.stringContaining('outra máquina')]);
    expect((await findBackup(backup._id)).state).toBe('verified');
    await savePlan({ keepDaily: 0, keepWeekly: 0, keepMonthly: 0 });
    for (const _turn of [1, 2]) await makeBackup();
    await waitForRemoval(earlierBackup._id);
    expect((await findBackup(backup._id)).stored).toBe(true);
  });
});

test('a running backup blocks other backups until it ends, even if a kill of its core makes it fail', async () => {
  const { status, body } = await core.request('POST', '/backups');
  const refused = await core.request('POST', '/backups');
  expect([status, refused.status, refused.body.error]).toEqual([202, 409, 'Um backup já está em andamento.']);
  await core.end('SIGKILL');
  await core.start();
  await core.query(`UPDATE backup_runs SET "heartbeatAt" = '2026-01-01T00:00:00.000Z' WHERE _id = '${body._id}'`);
  expect(await waitForBackup(body._id)).toMatchObject({ state: 'failed', reason: 'O backup foi interrompido.' });
  expect((await makeBackup()).state).toBe('verified');
});

describe('a backup in S3', () => {
  let backup: Awaited<ReturnType<typeof makeBackup>>;
  beforeEach(async () => {
    s3.objects.clear();
    await savePlan({ keepDaily: 7, keepWeekly: 4, keepMonthly: 6, s3: s3.bucket, passphrase: PASSPHRASE });
    backup = await makeBackup();
  });

  test('is uploaded with signed requests, and verified from the stored object', async () => {
    expect(backup.reason).toBe(null);
    expect(backup).toMatchObject({ state: 'verified', location: expect.stringMatching(/^s3:\/\/copias\/studio-/) });
    const [[name = '', object = Buffer.alloc(0)] = []] = s3.objects;
    expect(object.subarray(0, 21).toString()).toBe('age-encryption.org/v1');
    s3.objects.set(name, flipBit(object));
    expect((await verifyBackup(backup._id)).state).toBe('damaged');
    s3.objects.set(name, object);
    expect((await verifyBackup(backup._id)).state).toBe('verified');
    await waitForAlertEnd();
  });

  test('fails if the bucket refuses the credentials: an alert fires, and old objects stay', async () => {
    const storedNames = [...s3.objects.keys()];
    await savePlan({ keepDaily: 0, keepWeekly: 0, keepMonthly: 0, s3: { ...s3.bucket, secretAccessKey: 'um outro' } });
    expect(await makeBackup()).toMatchObject({
      state: 'failed',
      stored: false,
      reason: expect.stringContaining('SignatureDoesNotMatch'),
    });
    expect([...s3.objects.keys()]).toEqual(storedNames);
    expect(await waitForAlert()).toMatchObject({ reason: expect.stringContaining('falhou') });
  });

  test('is removed when the plan no longer keeps it, unlike the last two backups and foreign objects', async () => {
    await savePlan({ keepDaily: 0, keepWeekly: 0, keepMonthly: 0, s3: s3.bucket });
    s3.objects.set('de-outro', Buffer.from('x'));
    const newestBackups = [await makeBackup(), await makeBackup()];
    await waitForRemoval(backup._id);
    const names = newestBackups.map(({ location }) => location.replace('s3://copias/', ''));
    expect([...s3.objects.keys()].sort()).toEqual([...names, 'de-outro'].sort());
    await waitForAlertEnd();
  });
});

test('a backup in S3 fails if its row cannot be written while the object is verified, and the core continues', async () => {
  await savePlan({ s3: s3.bucket, passphrase: PASSPHRASE });
  const releaseUploads = s3.holdResponses((method) => method !== 'GET');
  const releaseReads = s3.holdResponses((method) => method === 'GET');
  const earlierCount = s3.countRequests();
  const { body } = await core.request('POST', '/backups');
  await waitFor('the upload', () => s3.countRequests() > earlierCount);
  const unlock = await core.lockUsage();
  releaseUploads();
  // Writes run one at a time, so the write of the backup's row has failed when the second request fails.
  for (let turn = 0; turn < 2; turn += 1)
    expect((await core.request('PUT', '/settings', { body: {} })).status).toBe(503);
  await unlock();
  releaseReads();
  expect((await waitForBackup(body._id)).state).toBe('failed');
});

test('a backup that was missed while the core was stopped starts after the next start', async () => {
  await savePlan({ schedule: '0 3 * * *', s3: null, folder, passphrase: null });
  await core.end('SIGTERM');
  await core.query(`UPDATE backup_plan SET "scheduledSince" = '2026-01-01T00:00:00.000Z'`);
  await core.start();
  // The list contains only earlier backups until the scheduled backup starts.
  const scheduledBackup: { _id: string } = await waitFor('a scheduled backup', async () => {
    const { body } = await core.request('GET', '/backups');
    return body.backups.find((backup: { trigger: string }) => backup.trigger === 'schedule');
  });
  expect((await waitForBackup(scheduledBackup._id)).state).toBe('verified');
});

describe('a schedule', () => {
  test.each(['0 3 * * *', '15 */2 * * 1-5'])('of the form %s is accepted', (schedule) => {
    expect(findScheduleViolation(schedule)).toBeUndefined();
  });

  test.each([
    ['0,1 3 * * *', 'tooOften'],
    ['* * * * *', 'tooOften'],
    ['0 0 3 * * *', 'invalid'],
    ['@daily', 'invalid'],
    ['0 3 31 2 *', 'noTime'],
    ['0 25 * * *', 'noTime'],
  ])('of the form %s is refused as %s', (schedule, violation) => {
    expect(findScheduleViolation(schedule)).toBe(violation);
  });

  test('is read in the time zone of the installation', () => {
    expect(findNextRun('0 3 * * *', 'America/Sao_Paulo', '2026-06-01T12:00:00.000Z')).toBe('2026-06-02T06:00:00.000Z');
  });

  test('makes a backup overdue 1.5 intervals and an hour after the start of the last verified backup', () => {
    expect(findOverdueAt('0 3 * * *', 'UTC', '2026-06-01T03:00:00.000Z')).toBe('2026-06-02T16:00:00.000Z');
  });
});

describe('retention', () => {
  const createDailyBackups = (days: number) =>
    Array.from({ length: days }, (_, index) => ({
      _id: String(index),
      startedAt: new Date(Date.UTC(2026, 5, 30, 6) - index * 86_400_000).toISOString(),
      outcome: 'verified' as const,
      verifiedAt: 'x',
    }));
  const listKeptBackups = (days: number, keep: [daily: number, weekly: number, monthly: number]) => {
    const storedBackups = createDailyBackups(days);
    const [keepDaily, keepWeekly, keepMonthly] = keep;
    const removedBackups = chooseRemovals(storedBackups, { keepDaily, keepWeekly, keepMonthly }, 'UTC');
    return storedBackups
      .filter((backup) => !removedBackups.includes(backup))
      .map(({ startedAt }) => startedAt.slice(5, 10));
  };

  test('keeps the newest backup of each of the last days, weeks and months', () => {
    expect(listKeptBackups(100, [3, 3, 3])).toEqual(['06-30', '06-29', '06-28', '06-21', '05-31', '04-30']);
  });

  test('keeps the last two verified backups, even if the plan keeps none', () => {
    expect(listKeptBackups(5, [0, 0, 0])).toEqual(['06-30', '06-29']);
    expect(listKeptBackups(1, [0, 0, 0])).toEqual(['06-30']);
  });
});
