import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '../../../../../scripts/testing/program';
import { Core } from '../../../testing/core';

interface Operation {
  requestBody?: { content: { 'application/json': { example?: Record<string, unknown> } } };
}
const document: { paths: Record<string, Record<string, Operation>> } = JSON.parse(
  readFileSync(join(__dirname, '../../../../openapi.json'), 'utf8'),
);

/** One case for each text field of each example body. */
const cases = Object.entries(document.paths).flatMap(([path, operations]) =>
  Object.entries(operations).flatMap(([method, { requestBody }]) => {
    const example = requestBody?.content['application/json']?.example ?? {};
    return Object.entries(example)
      .filter(([, value]) => typeof value === 'string')
      .map(([field]) => ({ method: method.toUpperCase(), path, field, example }));
  }),
);

let core: Core;
beforeAll(async () => {
  core = await new Core().start();
});
afterAll(() => core?.stop());

const ID = '019a1b2c-3d4e-7f50-8a61-b2c3d4e5f607';

test('a NUL in any text field of an example body is refused with 400 and the name of the field', async () => {
  expect(cases.length).toBeGreaterThan(30);
  for (const { method, path, field, example } of cases) {
    const text = String(example[field]);
    const body = { ...example, [field]: `${text.slice(0, 2)}\0${text.slice(2)}` };
    const response = await core.request(method, path.replace(/^\/api/, '').replace(/\{\w+\}/g, ID), { body });
    expect({ method, path, field, status: response.status, fields: Object.keys(response.body.fields ?? {}) }).toEqual({
      method,
      path,
      field,
      status: 400,
      fields: expect.arrayContaining([field]),
    });
  }
});

test('a NUL is refused with 404 in a path and with 400 in a query', async () => {
  expect((await core.request('GET', '/subdomains/lo%00ja')).status).toBe(404);
  expect((await core.request('GET', '/subdomains?search=lo%00ja')).status).toBe(400);
  expect((await core.request('GET', '/audit?actor=lo%00ja')).status).toBe(400);
});

test('a lone surrogate is refused with 400 and the name of the field, and a surrogate pair is stored', async () => {
  const project = { name: 'CRM \ud83d', type: 'proxy', apiPort: 4000 };
  const response = await core.request('POST', '/projects', { body: project });
  expect(response).toMatchObject({
    status: 400,
    body: { fields: { name: 'Este campo tem um caractere incompleto.' } },
  });
  const creation = await core.request('POST', '/projects', { body: { ...project, name: 'CRM \u{1f600}' } });
  expect(creation).toMatchObject({ status: 201, body: { name: 'CRM \u{1f600}' } });
});

test('the log contains nothing of a refused contact message', async () => {
  const body = { name: 'Canario\0Nome', email: 'canario@exemplo.com.br', message: 'canario\0texto' };
  expect((await core.request('POST', '/contact', { body, token: null })).status).toBe(400);
  expect(core.output).not.toMatch(/canario/i);
});

// The lock makes the write fail with an error that contains the parameters of the query.
test('the log contains no value of a write that fails in the database', async () => {
  const release = await lockContact();
  const body = { name: 'Canario Nome', email: 'canario@exemplo.com.br', message: 'canario texto' };
  const response = await core.request('POST', '/contact', { body, token: null });
  await release();
  expect(response.status).toBe(503);
  await waitFor('the failure is in the log', () => core.output.includes('request failed'));
  expect(core.output).not.toMatch(/canario|INSERT INTO|SELECT /i);
});

async function lockContact(): Promise<() => Promise<void>> {
  const connection = await core.connectToDatabase();
  const runner = connection.createQueryRunner();
  const isPostgres = connection.options.type === 'postgres';
  await runner.query(isPostgres ? 'BEGIN' : 'BEGIN EXCLUSIVE');
  if (isPostgres) await runner.query('LOCK TABLE contact_messages IN ACCESS EXCLUSIVE MODE');
  return async () => {
    await runner.query('COMMIT');
    await runner.release();
    await connection.destroy();
  };
}
