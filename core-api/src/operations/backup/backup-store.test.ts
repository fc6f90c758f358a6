import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { S3_KEY, startS3 } from '../../testing/s3';
import { openStore } from './backup-store';
import { getFailureReason } from './failure-reason';

const MIB = 1024 * 1024;
const folder = mkdtempSync(join(tmpdir(), 'backup-store-'));
let s3: Awaited<ReturnType<typeof startS3>>;
beforeAll(async () => {
  s3 = await startS3();
});
afterAll(async () => {
  await s3.stop();
  rmSync(folder, { recursive: true });
});

test('a large file is uploaded in parts of 16 MiB and read back unchanged', async () => {
  const file = join(folder, 'large');
  writeFileSync(file, randomBytes(35 * MIB));
  const store = openStore({ type: 's3', ...s3.bucket }, []);
  await store.write('large', file);
  expect(s3.partSizes).toEqual([16 * MIB, 16 * MIB, 3 * MIB]);
  await store.read('large', join(folder, 'read'));
  expect(readFileSync(join(folder, 'read')).equals(readFileSync(file))).toBe(true);
});

test('no request is sent to an endpoint whose name resolves to this installation', async () => {
  const { port } = new URL(s3.bucket.endpoint);
  const countBefore = s3.countRequests();
  const store = openStore({ type: 's3', ...s3.bucket, endpoint: `http://localhost:${port}` }, [Number(port)]);
  const reason = await store.remove('large').catch(getFailureReason);
  expect([reason, s3.countRequests() - countBefore]).toEqual(['Este endereço não pode receber backups.', 0]);
});

test('the error for refused credentials contains the error code of the S3 service', async () => {
  const store = openStore({ type: 's3', ...s3.bucket, ...S3_KEY, secretAccessKey: 'um outro' }, []);
  expect(await store.remove('large').catch(getFailureReason)).toBe(
    'O serviço S3 recusou as credenciais (SignatureDoesNotMatch).',
  );
});

test('a backup creates its missing parent folders, or fails with the error code of the system', async () => {
  const file = join(folder, 'small');
  writeFileSync(file, 'x');
  const missingFolder = join(folder, 'a/b/c');
  await openStore({ type: 'folder', folder: missingFolder }, []).write('small', file);
  expect(readFileSync(join(missingFolder, 'small'), 'utf8')).toBe('x');
  const refusedWrite = openStore({ type: 'folder', folder: '/proc/a/b' }, []).write('small', file);
  await expect(refusedWrite).rejects.toMatchObject({ code: 'ENOENT' });
});
