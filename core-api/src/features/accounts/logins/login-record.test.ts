import { Core } from '../../../testing/core';
import { createPerson } from '../../../testing/records';

let core: Core;
beforeAll(async () => {
  core = await new Core({ TRUSTED_PROXIES: '127.0.0.1' }).start();
});
afterAll(() => core.stop());

interface Entry {
  actor: string;
  action: string;
  address: string;
  count: number;
}

const login = (username: string, password: string, address: string) =>
  core.request('POST', '/login', {
    body: { username, password },
    token: null,
    headers: { 'X-Forwarded-For': address },
  });
const listEntries = async (address: string): Promise<Entry[]> =>
  (await core.request('GET', '/audit?entity=login&limit=100')).body.entries
    .filter((entry: Entry) => entry.address === address)
    .map(({ actor, action, address: from, count }: Entry) => ({ actor, action, address: from, count }));

test('thirty wrong passwords from one address are stored as one row of failures and one row of refusals', async () => {
  const address = '203.0.113.30';
  for (let turn = 0; turn < 30; turn += 1) await login('admin', 'errada', address);
  const entries = await listEntries(address);
  // The first refusal is stored immediately. Later refusals stay in memory until a write at least a minute later.
  expect(entries.toSorted((a, b) => b.count - a.count)).toEqual([
    { actor: 'admin', action: 'failure', address, count: 20 },
    { actor: 'admin', action: 'limited', address, count: 1 },
  ]);
});

test('simultaneous failed logins are stored as one row', async () => {
  const address = '203.0.113.31';
  await Promise.all(Array.from({ length: 8 }, () => login('admin', 'errada', address)));
  expect(await listEntries(address)).toEqual([{ actor: 'admin', action: 'failure', address, count: 8 }]);
});

test('an unknown username is never stored, because people type passwords into the username field', async () => {
  const address = '203.0.113.32';
  const typedPassword = 'minha-senha-secreta-42';
  await login(typedPassword, 'errada', address);
  expect(await listEntries(address)).toEqual([{ actor: '', action: 'failure', address, count: 1 }]);
  expect(JSON.stringify(await core.query('SELECT * FROM audit_entries'))).not.toContain(typedPassword);
  expect(core.output).not.toContain(typedPassword);
});

test('GET /me/logins lists each login of the caller and each confirmation of the password', async () => {
  const address = '203.0.113.33';
  const headers = { 'X-Forwarded-For': address };
  const { token, credentials } = await createPerson(core, {}, headers);
  await login(credentials.username, credentials.password, address);
  await core.request('POST', '/me/sudo', { token, body: { password: credentials.password }, headers });
  const ownLogins = await core.request('GET', '/me/logins?limit=2', { token });
  expect(ownLogins.body.entries).toMatchObject([
    { action: 'elevated', address, count: 1 },
    { action: 'success', address, count: 1 },
  ]);
  expect(ownLogins.body.total).toBe(3);
});

test('a failed login more than 15 minutes after another is stored as a new row', async () => {
  const address = '203.0.113.34';
  await login('admin', 'errada', address);
  const sixteenMinutesAgo = new Date(Date.now() - 16 * 60 * 1000).toISOString();
  await core.query(`UPDATE audit_entries SET "at" = '${sixteenMinutesAgo}' WHERE address = '${address}'`);
  await login('admin', 'errada', address);
  expect((await listEntries(address)).map(({ count }) => count)).toEqual([1, 1]);
});
