import { spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { ROOT, waitFor } from '../../../../scripts/testing/program';
import { listenOnLoopback } from '../../../../scripts/testing/server';
import { S3_KEY } from '../../testing/s3';
import { type BackupAccess, startBackupProcess } from './backup-process';

/** Returns the ids of the child processes that work on a backup; empty without a process. */
const findBackupPids = () => spawnSync('pgrep', ['-P', String(process.pid), '-f', 'bin/backup-run']).stdout.toString();

/** A bucket whose service accepts connections and never answers. */
async function startSilentBucket() {
  const server = createServer(() => undefined);
  const port = await listenOnLoopback(server);
  const bucket = { endpoint: `http://127.0.0.1:${port}`, bucket: 'copias', region: 'us-east-1', forcePathStyle: true };
  const access: BackupAccess = { destination: { type: 's3', ...bucket, ...S3_KEY }, passphrase: '' };
  return { access, whenConnected: new Promise((resolve) => server.once('connection', resolve)), server };
}

const { execArgv } = process;
/** The child process compiles TypeScript with this module. */
beforeAll(() => {
  process.execArgv = ['--require', join(ROOT, 'scripts/testing/register.cjs')];
});
afterAll(() => {
  process.execArgv = execArgv;
});

test('a backup process that exceeds its time limit is killed, and its report names the limit', async () => {
  const { access, server } = await startSilentBucket();
  const { whenEnded } = startBackupProcess({ type: 'remove', access, name: 'x' }, { limitMs: 500 });
  expect(findBackupPids()).not.toBe('');
  expect(await whenEnded).toEqual({ type: 'failed', reason: expect.stringMatching(/^O backup não terminou em .* h/) });
  await waitFor('the end of the process', () => findBackupPids() === '');
  server.close();
});

test('a backup process that is stopped gives no report', async () => {
  const { access, whenConnected, server } = await startSilentBucket();
  const { whenEnded, stop } = startBackupProcess({ type: 'remove', access, name: 'x' });
  await whenConnected;
  stop();
  expect(await whenEnded).toBeUndefined();
  server.close();
});
