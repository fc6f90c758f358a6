import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { fastClock } from '../../../../scripts/testing/stack';
import { Core } from '../../testing/core';
import { createTar, createTarHeader, sendPackage } from './testing/packages';

let core: Core;
beforeAll(async () => {
  core = await new Core(fastClock(10)).start();
  const body = { subdomain: 'loja', description: 'x', type: 'static', source: 'versions' };
  expect((await core.request('POST', '/subdomains', { body })).status).toBe(201);
});
afterAll(() => core?.stop());

const createEntry = (name: string, type: string, content: string): Buffer =>
  Buffer.concat([
    createTarHeader(name, type, content.length.toString(8)),
    Buffer.from(content.padEnd(Math.ceil(content.length / 512) * 512, '\0')),
  ]);

/**
 * Creates an archive that takes a quarter of an hour to read: the reader copies the 90,000 records of the global header
 * for each of 9,000 headers.
 */
function createSlowArchive(): Buffer {
  const records = Array.from({ length: 90_000 }, (_, index) => `8 ${index.toString(36).padStart(4, '0')}=\n`);
  const file = createEntry('index.html', '0', 'x');
  const chunks = Array<Buffer[]>(10).fill([...Array<Buffer>(900).fill(createEntry('x', 'x', '6 a=b\n')), file]);
  return gzipSync(Buffer.concat([createEntry('g', 'g', records.join('')), file, ...chunks.flat(), Buffer.alloc(1024)]));
}

test('an archive that takes too long to read is refused, leaves no file and frees its thread', async () => {
  const archive = createSlowArchive();
  expect(archive.length).toBeLessThan(1024 ** 2);
  const publish = (body: Buffer) => sendPackage(core, '/subdomains/loja/versions', 'gzip', body);
  // Two attempts occupy both threads of the core, so that the last publication needs a freed thread.
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const { status, body } = await publish(archive);
    expect([status, body.error]).toEqual([400, 'Ler o pacote demorou demais. Refaça o arquivo e tente de novo.']);
    expect(readdirSync(join(core.folder, 'content/incoming'))).toEqual([]);
  }
  expect((await publish(await createTar({ 'index.html': 'pronto' }))).status).toBe(201);
});
