import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { ConfigPosition, RowChange } from '../../routing/config-snapshot';
import { ConfigWatcher } from './config-watcher';
import { getSnapshotPath, SnapshotFile } from './snapshot-file';

const folder = mkdtempSync(join(tmpdir(), 'watcher-'));
const path = getSnapshotPath(folder);
afterAll(() => rmSync(folder, { recursive: true }));

const createServiceChange = (id: string): RowChange => ({
  entity: 'service',
  id,
  row: { id, host: 'http://127.0.0.1:1' },
});

test('if a reload could not be written to the snapshot file, workers do not load the earlier configuration from it', async () => {
  let ids = ['a'];
  let position: ConfigPosition = { revision: 1, lastChange: 'a' };
  const store = {
    installationId: 'ours',
    expectedInstallationId: 'ours',
    isReady: async () => true,
    readConfigPosition: async () => position,
    readChangesSince: async () => 'unknown' as const,
    async *readConfigRows() {
      yield ids.map(createServiceChange);
    },
  };
  const file = new SnapshotFile(path);
  const isCurrentAtReload: boolean[] = [];
  const events = { onReload: () => isCurrentAtReload.push(file.isCurrent), onChanges: () => undefined };
  const watcher = new ConfigWatcher(store, file, events, pino({ level: 'silent' }));
  await watcher.poll();
  // The snapshot file cannot be rewritten while the path of its temporary file is a folder.
  mkdirSync(`${path}.new`);
  [ids, position] = [['b'], { revision: 2, lastChange: 'b' }];
  await watcher.poll();
  expect([isCurrentAtReload, watcher.revision]).toEqual([[true, false], 2]);
  rmSync(`${path}.new`, { recursive: true });
  await watcher.poll();
  expect(isCurrentAtReload).toEqual([true, false, true]);
  file.discard();
});
