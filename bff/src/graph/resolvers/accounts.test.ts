import { createHmac } from 'node:crypto';
import { ADMINISTRATOR } from '../../../../scripts/testing/stack';
import { type Entity, GraphStack } from '../../testing/graph-stack';

let graph: GraphStack;

beforeAll(async () => {
  graph = await GraphStack.start();
});
afterEach(async () => {
  await graph.confirmPassword();
  for (const { _id, username } of await graph.run<(Entity & { username: string })[]>('admins'))
    if (username !== ADMINISTRATOR.username) await graph.run('deleteAdmin', { id: _id });
  for (const { _id } of await graph.run<Entity[]>('serviceAccounts'))
    await graph.run('deleteServiceAccount', { id: _id });
});
afterAll(() => graph.stop());

/**
 * Computes the code that an authenticator app (RFC 6238) shows for a secret in Base32 (RFC 4648).
 * @param steps number of periods of 30 s from now. A login allows for one period of drift.
 */
function computeTotpCode(secret: string, steps = 0): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...secret].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps));
  const digest = createHmac('sha1', key).update(counter).digest();
  const number = digest.readUInt32BE(digest.readUInt8(19) & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}

test('the account of the session is read', async () => {
  const token = await graph.logIn(ADMINISTRATOR);
  expect(await graph.run('me', {}, token)).toEqual({
    _id: expect.any(String),
    username: 'admin',
    kind: 'person',
    role: 'administrator',
    projects: null,
    totp: false,
    sudoUntil: null,
    token: null,
  });
});

test('service accounts are created, changed, listed and deleted', async () => {
  await graph.confirmPassword();
  const account = await graph.run<Entity>('createServiceAccount', { input: { name: 'Pipeline' } });
  expect(account).toMatchObject({ name: 'pipeline', role: 'operator', projects: null });
  const updatedAccount = await graph.run('updateServiceAccount', { id: account._id, input: { name: 'CI' } });
  expect(updatedAccount).toMatchObject({ name: 'ci', role: 'operator' });
  expect(await graph.run('serviceAccounts')).toEqual([updatedAccount]);
  expect(await graph.run('deleteServiceAccount', { id: account._id })).toBe(true);
  expect(await graph.run('serviceAccounts')).toEqual([]);
});

/** Creates a service account, and a token of it that may read tenants. */
async function createReadToken() {
  await graph.confirmPassword();
  const account = await graph.run<Entity>('createServiceAccount', { input: { name: 'CI' } });
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  const input = { name: 'Leitura', scopes: ['tenants:read'], expiresAt, account: account._id };
  const { token: secret, ...token } = await graph.run<Entity & { token: string }>('createToken', { input });
  return { account, secret, token };
}

test('tokens of a service account are created, listed, used, changed and deleted', async () => {
  const { account, secret, token } = await createReadToken();
  expect(token).toMatchObject({ name: 'Leitura', site: null, account: { username: 'ci', kind: 'service' } });
  expect(await graph.run('tokens', { account: account._id })).toEqual([token]);
  expect((await graph.request('tenants', {}, secret)).errors).toEqual([]);
  expect((await graph.request('me', {}, secret)).data).toMatchObject({
    me: { token: { _id: token._id, name: 'Leitura' } },
  });
  const disableVariables = { id: token._id, input: { disabled: true }, version: 1 };
  expect(await graph.run('updateToken', disableVariables)).toMatchObject({ disabled: true, version: 2 });
  expect(await graph.run('deleteToken', { id: token._id })).toBe(true);
  expect(await graph.run('tokens', { account: account._id })).toEqual([]);
});

test('a rotated token gets a new secret, and the old secret ends after the grace time', async () => {
  const { account, secret, token } = await createReadToken();
  const rotatedToken = await graph.run<{ token: string }>('rotateToken', { id: token._id, graceSeconds: 0 });
  expect((await graph.request('tenants', {}, secret)).status).toBe(401);
  expect((await graph.request('tenants', {}, rotatedToken.token)).status).toBe(200);
  expect(await graph.run('tokens', { account: account._id })).toMatchObject([{ _id: token._id, version: 2 }]);
});

test('an alias in a document does not bypass the scopes of a token', async () => {
  const { secret } = await createReadToken();
  const aliasedMutation = await graph.send(
    'mutation { tenants: deleteTenant(id: "019a0000-0000-7000-8000-000000000000") }',
    {},
    secret,
  );
  expect(aliasedMutation.errors).toMatchObject([
    { extensions: { code: 'FORBIDDEN', required: { role: 'operator', scope: 'tenants:delete' } } },
  ]);
});

/** Invites an administrator with the username `ana`. */
async function inviteAna() {
  await graph.confirmPassword();
  return graph.run<Entity & { setupToken: string }>('createAdmin', { username: 'Ana', role: 'operator' });
}

/** Creates an administrator with the username `ana`, who has logged in. */
async function createAna() {
  const credentials = { username: 'ana', password: 'a senha da Ana' };
  const { _id, setupToken } = await inviteAna();
  expect(await graph.run('setupAdmin', { token: setupToken, password: credentials.password })).toBe(true);
  return { _id, credentials, sessionToken: await graph.logIn(credentials) };
}

test('administrators are invited, changed, listed and deleted', async () => {
  const { setupToken, ...invitedAdmin } = await inviteAna();
  expect(setupToken).toEqual(expect.any(String));
  expect(invitedAdmin).toMatchObject({
    username: 'ana',
    totp: false,
    lastLoginAt: null,
    role: 'operator',
    projects: null,
  });
  const { _id } = invitedAdmin;
  expect(await graph.run('updateAdmin', { id: _id, input: { role: 'viewer' } })).toMatchObject({ role: 'viewer' });
  expect(await graph.run('admins')).toMatchObject([
    { username: 'admin', lastLoginAt: expect.stringMatching(/Z$/) },
    { _id, username: 'ana', role: 'viewer', lastLoginAt: null },
  ]);
  expect(await graph.run('deleteAdmin', { id: _id })).toBe(true);
  expect(await graph.run('admins')).toMatchObject([{ username: 'admin' }]);
});

test('an administrator is reset with a new setup token', async () => {
  const { _id, credentials } = await createAna();
  expect(await graph.run('resetAdmin', { id: _id })).toMatchObject({ setupToken: expect.any(String) });
  expect((await graph.request('login', credentials)).status).toBe(401);
});

test('a second factor is set up and ended, and meanwhile the login asks for its code', async () => {
  const { _id, credentials, sessionToken } = await createAna();
  await graph.confirmPassword(credentials.password, sessionToken);
  const { secret, uri } = await graph.run<{ secret: string; uri: string }>('beginTotp', {}, sessionToken);
  expect(uri).toContain(`secret=${secret}`);
  const confirmation = await graph.run<{ recoveryCodes: string[] }>(
    'confirmTotp',
    { code: computeTotpCode(secret) },
    sessionToken,
  );
  expect(confirmation.recoveryCodes).toHaveLength(10);
  const refusedLogin = await graph.request('login', credentials);
  expect([refusedLogin.status, refusedLogin.errors]).toMatchObject([
    401,
    [{ extensions: { code: 'UNAUTHENTICATED', codeRequired: true, error: expect.any(String) } }],
  ]);
  await graph.logIn({ ...credentials, code: computeTotpCode(secret, 1) });
  expect(await graph.run('endTotp', { code: confirmation.recoveryCodes[0] }, sessionToken)).toBe(true);
  expect(await graph.run('admins')).toMatchObject([
    { username: 'admin' },
    { _id, username: 'ana', totp: false, lastLoginAt: expect.stringMatching(/Z$/) },
  ]);
});

test('the audit trail lists the changes of an entity or of an actor', async () => {
  const { _id } = await createAna();
  await graph.run('deleteAdmin', { id: _id });
  const auditTrail = await graph.run<{ entries: object[]; total: number }>('audit', {
    entity: 'admin',
    page: 1,
    limit: 100,
  });
  expect(auditTrail.total).toBe(auditTrail.entries.length);
  expect(auditTrail.entries[0]).toMatchObject({
    actor: 'admin',
    action: 'delete',
    entityId: _id,
    name: 'ana',
    changes: expect.arrayContaining([{ field: 'username', before: '"ana"', after: null }]),
  });
  expect(await graph.run('audit', { entity: null, actor: 'ana', page: 1, limit: 1 })).toMatchObject({
    entries: [{ actor: 'ana' }],
  });
});

test('a password change can keep the session, which gets a new token', async () => {
  const { password } = ADMINISTRATOR;
  const previousToken = graph.token;
  const newSession = await graph.run<{ token: string }>('changePasswordAndKeepSession', {
    currentPassword: password,
    newPassword: password,
  });
  graph.token = newSession.token;
  expect([(await graph.request('me', {}, previousToken)).status, (await graph.request('me')).status]).toEqual([
    401, 200,
  ]);
});

test('a confirmation of the password is listed with the logins', async () => {
  const paging = { page: 1, limit: 1 };
  const { total } = await graph.run<{ total: number }>('myLogins', paging);
  await graph.confirmPassword();
  expect(await graph.run('myLogins', paging)).toMatchObject({
    total: total + 1,
    entries: [{ action: 'elevated', count: 1 }],
  });
});

test('a password change ends the earlier sessions', async () => {
  const { username, password } = ADMINISTRATOR;
  const previousToken = graph.token;
  const newPassword = 'outra senha de teste';
  expect(await graph.run('changePassword', { currentPassword: password, newPassword })).toBe(true);
  expect((await graph.request('me', {}, previousToken)).status).toBe(401);
  const sessionToken = await graph.logIn({ username, password: newPassword });
  await graph.run('changePassword', { currentPassword: newPassword, newPassword: password }, sessionToken);
  graph.token = await graph.logIn(ADMINISTRATOR);
});

test('a logout ends only its own session', async () => {
  const sessionToken = await graph.logIn(ADMINISTRATOR);
  expect(await graph.run('logout', {}, sessionToken)).toBe(true);
  expect([(await graph.request('me', {}, sessionToken)).status, (await graph.request('me')).status]).toEqual([
    401, 200,
  ]);
});
