import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { waitFor } from '../../../../../scripts/testing/program';
import { entities } from '../../../app/entities';
import { createDatabase, type Database } from '../../../platform/database/database';
import { HOUR_MS } from '../../../platform/time/relative-time';
import { createPostgresDatabase } from '../../../testing/core';
import { PublicationsService } from '../publications.service';
import { SiteActivation, SiteVersion } from '../site-version.entity';
import { siteMessages } from '../sites.messages';
import { deferGarbageCollection } from './backup-marker';
import { Content } from './content.entity';
import { ContentStore } from './content-store';
import { GarbageCollection } from './garbage-collection';

const now = Date.now();
const isoHoursAgo = (hours: number) => new Date(now - hours * HOUR_MS).toISOString();
const hashText = (text: string) => createHash('sha256').update(text).digest('hex');
const folder = mkdtempSync(join(tmpdir(), 'garbage-'));
const store = new ContentStore(folder);
let database: Database;
let collection: GarbageCollection;
let publications: PublicationsService;
/** Ids of the sites that exist. */
let sites: string[] = [];
beforeAll(async () => {
  database = createDatabase({ DATA_DIR: folder, DATABASE_URL: await createPostgresDatabase('garbage') }, entities);
  await database.open({ migrate: true });
  store.create();
  const owner = {
    find: async () => {
      throw new Error('unexpected call');
    },
    activate: async () => undefined,
    findExisting: async (_manager: unknown, ids: readonly string[]) => ids.filter((id) => sites.includes(id)),
  };
  const owners = { subdomain: owner, project: owner, tenant: owner };
  const rollout = { waitForStatus: async () => ({ state: 'active' as const }) };
  const exchange = { isAvailable: async () => true, waitForMachines: async () => true };
  publications = new PublicationsService({
    database,
    store,
    owners,
    rollout,
    exchange,
    dataDir: folder,
    previewOrigin: { sitesDomain: 'localhost', publicUrl: undefined, port: 3000 },
  });
  collection = new GarbageCollection(database, store, owners);
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});
beforeEach(async () => {
  sites = ['loja'];
  await database.concurrentWrite(async (manager) => {
    for (const table of ['site_activations', 'site_versions', 'content']) await manager.query(`DELETE FROM ${table}`);
  });
});

const toVersionId = (ownerId: string, number: number) => `${ownerId}-${number}`;
/** Inserts a version with one file, whose content is the version's id. */
async function insertVersion(number: number, overrides: Partial<SiteVersion> = {}): Promise<void> {
  const ownerId = overrides.ownerId ?? 'loja';
  const _id = toVersionId(ownerId, number);
  const sha256 = hashText(_id);
  const manifest = JSON.stringify({
    files: { 'index.html': { sha256, size: 1, type: 'text/html' } },
    headers: [],
    redirects: [],
    ruleFiles: [],
  });
  await database.concurrentWrite(async (manager) => {
    await manager.insert(SiteVersion, {
      _id,
      ownerKind: 'subdomain',
      ownerId,
      number,
      state: 'ready',
      name: _id,
      manifest,
      manifestDigest: hashText(manifest),
      files: 1,
      bytes: 1,
      actor: 'admin',
      createdAt: isoHoursAgo(100),
      ...overrides,
    });
    await manager.insert(Content, { digest: sha256, size: 1, seenAt: isoHoursAgo(100) });
  });
  for (const digest of [sha256, hashText(manifest)]) createObject(digest, 100);
}
/** Creates the file of an object that is `ageHours` old. @returns its path */
function createObject(name: string, ageHours: number): string {
  const path = store.toObjectPath(name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, 'x');
  const time = new Date(now - ageHours * HOUR_MS);
  utimesSync(path, time, time);
  return path;
}
const insertActivation = (number: number, ageHours: number) =>
  database.concurrentWrite((manager) =>
    manager.insert(SiteActivation, {
      _id: `a${number}-${ageHours}`,
      ownerKind: 'subdomain',
      ownerId: 'loja',
      versionId: toVersionId('loja', number),
      at: isoHoursAgo(ageHours),
    }),
  );
const listRemainingVersions = async () => {
  const rows = await database.read.find(SiteVersion, { select: { number: true }, where: { ownerId: 'loja' } });
  return rows.map(({ number }) => number).sort((a, b) => a - b);
};
const hasContent = (number: number) => existsSync(store.toObjectPath(hashText(toVersionId('loja', number))));

test('garbage collection keeps the newest 20 versions of a site, and pinned, current and recently replaced versions', async () => {
  for (let number = 1; number <= 30; number += 1) await insertVersion(number, { pinned: number === 2 });
  await insertActivation(3, 90);
  await insertActivation(5, 80);
  await insertActivation(4, 30);
  await insertActivation(6, 2);
  await insertActivation(7, 1);
  expect(await collection.collect(now)).toBe(true);
  expect(await database.read.count(SiteActivation)).toBe(3);
  // Version 4 was replaced 2 h ago, version 6 an hour ago, and versions 3 and 5 more than a day ago.
  expect(await listRemainingVersions()).toEqual([2, 4, 6, 7, ...Array.from({ length: 20 }, (_, index) => index + 11)]);
  expect([1, 2, 3, 4, 7, 10, 11].map(hasContent)).toEqual([false, true, false, true, true, false, true]);
});

test('garbage collection removes activations two days after their replacement, except the last activation of the previous version', async () => {
  for (let number = 1; number <= 4; number += 1) await insertVersion(number);
  await insertActivation(1, 200);
  await insertActivation(2, 190);
  await insertActivation(1, 180);
  await insertActivation(3, 170);
  await insertActivation(4, 1);
  const listActivations = async () => (await database.read.find(SiteActivation)).map(({ _id }) => _id).sort();
  await collection.collect(now);
  // Version 3 was replaced an hour ago, so open pages may still need it. Later it stays as the previous version.
  expect(await listActivations()).toEqual(['a3-170', 'a4-1']);
  await collection.collect(now + 100 * HOUR_MS);
  expect(await listActivations()).toEqual(['a3-170', 'a4-1']);
});

test('garbage collection keeps a version that is activated during the collection', async () => {
  for (let number = 1; number <= 22; number += 1) await insertVersion(number);
  const write = database.concurrentWrite;
  // The first write marks versions as failed, and the second write removes versions.
  const spy = jest.spyOn(database, 'concurrentWrite').mockImplementationOnce(write);
  spy.mockImplementationOnce(async (work) => {
    await insertActivation(1, 0);
    return write(work);
  });
  await collection.collect(now);
  spy.mockRestore();
  expect(await listRemainingVersions()).toEqual([1, ...Array.from({ length: 20 }, (_, index) => index + 3)]);
});

test('garbage collection keeps content that was in a package of any site within the last 24 h', async () => {
  await insertVersion(1);
  const [recentObject, oldObject, oldCopy] = [
    createObject(hashText('seen'), 100),
    createObject(hashText('old'), 100),
    createObject(`${hashText('old')}.br`, 100),
  ];
  const newObject = createObject(hashText('being stored'), 1);
  await database.concurrentWrite((manager) =>
    manager.insert(Content, [
      { digest: hashText('seen'), size: 1, seenAt: isoHoursAgo(23) },
      { digest: hashText('old'), size: 1, seenAt: isoHoursAgo(25) },
    ]),
  );
  await collection.collect(now);
  expect([recentObject, oldObject, oldCopy, newObject].map((path) => existsSync(path))).toEqual([
    true,
    false,
    false,
    true,
  ]);
  expect((await database.read.find(Content)).map(({ digest }) => digest)).not.toContain(hashText('old'));
});

test('garbage collection removes the versions of a removed site', async () => {
  await insertVersion(1, { ownerId: 'sumiu' });
  await insertVersion(1);
  await collection.collect(now);
  expect(await database.read.countBy(SiteVersion, { ownerId: 'sumiu' })).toBe(0);
  expect(await listRemainingVersions()).toEqual([1]);
});

test('a version that was not completed within 24 h is marked as failed, and is removed a day later', async () => {
  await insertVersion(1, { state: 'receiving', manifestDigest: null, createdAt: isoHoursAgo(23) });
  await insertVersion(2, { state: 'receiving', manifestDigest: null, createdAt: isoHoursAgo(25) });
  await insertVersion(3, { state: 'failed', manifestDigest: null, createdAt: isoHoursAgo(49) });
  await collection.collect(now);
  const rows = await database.read.find(SiteVersion, { order: { number: 'ASC' } });
  expect(rows.map(({ number, state }) => [number, state])).toEqual([
    [1, 'receiving'],
    [2, 'failed'],
  ]);
});

test('garbage collection removes the uploads of killed processes, but not those of incomplete versions', async () => {
  await insertVersion(1, { state: 'receiving', manifestDigest: null, createdAt: isoHoursAgo(1) });
  for (const name of [toVersionId('loja', 1), 'morto']) {
    const path = join(store.incoming, name);
    mkdirSync(path);
    const time = new Date(now - 2 * HOUR_MS);
    utimesSync(path, time, time);
  }
  mkdirSync(join(store.incoming, 'agora'));
  await collection.collect(now);
  expect(readdirSync(store.incoming).sort()).toEqual(['agora', toVersionId('loja', 1)]);
});

test('garbage collection and publications never run at the same time', async () => {
  const events: string[] = [];
  await store.lock.runShared(async () => {
    events.push(String(await collection.collect(now)));
  });
  const collecting = store.lock.runExclusive(async () => {
    await new Promise((resolve) => setImmediate(resolve));
    events.push('collected');
  });
  await store.lock.runShared(async () => void events.push('published'));
  await collecting;
  expect(events).toEqual(['false', 'collected', 'published']);
});

test('a package that arrives slowly does not prevent garbage collection', async () => {
  const body = new PassThrough();
  const site = { kind: 'subdomain', id: 'loja', name: 'loja', label: 'loja', isStatic: true, versionId: null } as const;
  const publication = publications.publish(
    { actor: 'admin', requestId: 'teste', address: '192.0.2.1' },
    { ...site, servesVersion: false, projectId: null },
    { type: 'gzip', body },
    { activate: true },
  );
  body.write('x');
  await waitFor('the start of the package', async () => readdirSync(store.incoming, { recursive: true }).length > 1);
  expect(await collection.collect(now)).toBe(true);
  body.destroy(new Error('aborted'));
  await expect(publication).rejects.toThrow(siteMessages.aborted);
});

test('garbage collection does not begin while a backup reads content, unless the backup was killed', async () => {
  const release = deferGarbageCollection(folder);
  expect(await collection.collect(Date.now())).toBe(false);
  release();
  expect(await collection.collect(Date.now())).toBe(true);
  const releaseKilledBackup = deferGarbageCollection(folder);
  const twoMinutesAgo = new Date(Date.now() - 2 * 60_000);
  utimesSync(join(folder, 'content/backup-running'), twoMinutesAgo, twoMinutesAgo);
  expect(await collection.collect(Date.now())).toBe(true);
  releaseKilledBackup();
});
