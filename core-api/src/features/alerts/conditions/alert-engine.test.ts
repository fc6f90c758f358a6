import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { entities } from '../../../app/entities';
import { createCommandContext, createDatabase, type Database } from '../../../platform/database/database';
import { createPostgresDatabase } from '../../../testing/core';
import { Alert } from '../alert.entity';
import type { Condition } from '../alert-kinds';
import { AlertEngine } from './alert-engine';

const folder = mkdtempSync(join(tmpdir(), 'alert-engine-'));
let database: Database;
let engine: AlertEngine;
beforeAll(async () => {
  database = createDatabase({ DATA_DIR: folder, DATABASE_URL: await createPostgresDatabase('engine') }, entities);
  await database.open({ migrate: true });
  engine = new AlertEngine(database);
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

beforeEach(async () => {
  await database.concurrentWrite(async (manager) => {
    for (const table of ['alerts', 'alert_flaps']) await manager.query(`DELETE FROM ${table}`);
  });
});

const createOutages = (count: number): Condition[] =>
  Array.from({ length: count }, (_, index) => ({
    kind: 'target_down',
    subject: { type: 'subdomain', id: `site-${index}`, name: `site-${index}` },
    machineId: '',
    since: '2026-01-15T12:00:00.000Z',
    reason: 'recusado',
  }));

const reconcile = async (conditions: Condition[]) =>
  engine.reconcile('target_down', await engine.listOpenAlerts('target_down'), conditions, []);

test('an edit of an administrator does not wait until 1,200 new alerts are stored', async () => {
  const concurrentWrite = database.concurrentWrite;
  let alertsSeenByEdit: Promise<number> | undefined;
  const spy = jest.spyOn(database, 'concurrentWrite').mockImplementationOnce((work) => {
    const writePromise = concurrentWrite(work);
    alertsSeenByEdit = database.serializedWrite(createCommandContext('test'), (manager) => manager.count(Alert));
    return writePromise;
  });
  await reconcile(createOutages(1_200));
  spy.mockRestore();
  expect(await alertsSeenByEdit).toBeLessThan(1_200);
  expect(await database.read.count(Alert)).toBe(1_200);
});

test('alerts end when their conditions are gone', async () => {
  await reconcile(createOutages(1_200));
  await reconcile(createOutages(1));
  expect(await engine.listOpenAlerts('target_down')).toMatchObject([{ subjectId: 'site-0' }]);
});

test('a subject flaps only from its fourth change within an hour', async () => {
  const listFlaps = () => database.read.query('SELECT "subjectId" FROM alert_flaps');
  for (const conditions of [createOutages(2), createOutages(1), createOutages(0), createOutages(1)])
    await reconcile(conditions);
  expect(await listFlaps()).toEqual([]);
  await reconcile(createOutages(0));
  expect(await listFlaps()).toEqual([{ subjectId: 'site-0' }]);
});
