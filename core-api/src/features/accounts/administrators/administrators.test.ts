import { Core } from '../../../testing/core';
import { decodeBase32, generateTotp } from '../../../testing/totp';

let core: Core;
let ownId: string;
beforeAll(async () => {
  core = await new Core({ TRUSTED_PROXIES: '127.0.0.1' }).start();
  ownId = (await core.request('GET', '/me')).body._id;
});
afterAll(() => core?.stop());

const PASSWORD = 'uma senha bem longa';
let addressCount = 0;
/** Headers of a request. Each call uses a new address unless `address` is given. */
const createAddressHeaders = (address = `198.51.100.${++addressCount}`) => ({ 'X-Forwarded-For': address });
const login = (username: string, password: string, code?: string, address?: string) =>
  core.request('POST', '/login', {
    body: { username, password, code },
    token: null,
    headers: createAddressHeaders(address),
  });
const setPassword = (token: string, password = PASSWORD, address?: string) =>
  core.request('POST', '/setup', { body: { token, password }, token: null, headers: createAddressHeaders(address) });
const invite = async (username: string) => (await core.request('POST', '/admins', { body: { username } })).body;
const listAdministrators = async () => (await core.request('GET', '/admins')).body;
const findAdministrator = async (name: string) =>
  (await listAdministrators()).find(({ username }: { username: string }) => username === name);

/** Creates an invited administrator who has set the password and logged in. */
async function createAdministrator(username: string) {
  const { _id, setupToken } = await invite(username);
  expect((await setPassword(setupToken)).status).toBe(204);
  const { token } = (await login(username, PASSWORD)).body;
  return {
    _id,
    token,
    request: (method: string, path: string, body?: object) => core.request(method, path, { token, body }),
  };
}

/** A code that is wrong now and for the next minutes. */
function findWrongTotp(secret: string): string {
  const validCodes = Array.from({ length: 20 }, (_, step) => generateTotp(secret, step - 2));
  let wrongCode = '000000';
  while (validCodes.includes(wrongCode)) wrongCode = String(Number(wrongCode) + 1).padStart(6, '0');
  return wrongCode;
}

/** Creates an administrator with a second factor. */
async function createAdministratorWithTotp(username: string) {
  const person = await createAdministrator(username);
  const { secret, uri } = (await person.request('POST', '/me/totp')).body;
  const confirmation = await person.request('PUT', '/me/totp', { code: generateTotp(secret) });
  expect(confirmation.status).toBe(200);
  return { ...person, secret, uri, recoveryCodes: confirmation.body.recoveryCodes as string[] };
}

test('the response to an invitation contains the setup token and forbids caching', async () => {
  const invitation = await core.request('POST', '/admins', { body: { username: ' Ana ' } });
  expect([invitation.status, invitation.headers.get('cache-control'), invitation.body]).toEqual([
    201,
    'no-store',
    {
      _id: expect.any(String),
      username: 'ana',
      createdAt: expect.stringMatching(/Z$/),
      lastLoginAt: null,
      totp: false,
      invitedUntil: expect.stringMatching(/Z$/),
      role: 'administrator',
      projects: null,
      setupToken: expect.stringMatching(/^[\w-]{43}$/),
    },
  ]);
});

test.each([
  ['', 400],
  [PASSWORD, 401],
])('an invited administrator cannot log in with the password %j', async (password, status) => {
  await core.request('POST', '/admins', { body: { username: 'convidada' } });
  expect((await login('convidada', password)).status).toBe(status);
});

test('a username that exists in another case is refused', async () => {
  await invite('lia');
  expect((await core.request('POST', '/admins', { body: { username: 'LIA' } })).status).toBe(409);
});

test('a refused password does not end the invitation', async () => {
  const { invitedUntil, setupToken } = await invite('tina');
  expect((await setPassword(setupToken, 'curta')).status).toBe(400);
  expect((await findAdministrator('tina')).invitedUntil).toBe(invitedUntil);
});

test('a setup token sets the password only once', async () => {
  const { setupToken } = await invite('nina');
  expect((await setPassword(setupToken)).status).toBe(204);
  expect((await findAdministrator('nina')).invitedUntil).toBeNull();
  const secondUse = await setPassword(setupToken, 'outra senha longa');
  expect([secondUse.status, Object.keys(secondUse.body.fields)]).toEqual([400, ['token']]);
});

test('administrators are listed with their last login', async () => {
  const { setupToken } = await invite('olga');
  await setPassword(setupToken);
  expect((await listAdministrators()).map(({ username }: { username: string }) => username)).toEqual(
    expect.arrayContaining(['admin', 'olga']),
  );
  expect((await findAdministrator('olga')).lastLoginAt).toBeNull();
  expect((await login('olga', PASSWORD)).status).toBe(200);
  expect((await findAdministrator('olga')).lastLoginAt).toMatch(/Z$/);
});

test('only one of two simultaneous uses of a setup token succeeds', async () => {
  const { setupToken } = await invite('dupla');
  const passwords = ['primeira senha', 'segunda senha'];
  const responses = await Promise.all(passwords.map((password) => setPassword(setupToken, password)));
  expect(responses.map(({ status }) => status).sort()).toEqual([204, 400]);
});

test.each([
  ['core', 'reserved'],
  ['Edge', 'reserved'],
  ['ｅｄｇｅ', 'reserved, in full-width letters'],
  ['сhefe', 'Cyrillic and Latin'],
  ['an\u3164a', 'an invisible letter'],
  ['an\u202ea', 'a change of the writing direction'],
  ['an\u200ba', 'a zero-width space'],
])('the username %j (%s) is refused', async (username) => {
  const { status, body } = await core.request('POST', '/admins', { body: { username } });
  expect([status, Object.keys(body.fields)]).toEqual([400, ['username']]);
});

test.each([
  '1234567890',
  'password123',
  'qwertyuiop',
  'QwertyUiop',
  ' '.repeat(10),
  'aaaaaaaaaaaa',
  'curta     ',
  'usuario-longo',
])('the password %j is refused', async (password) => {
  const earlierAccount = await findAdministrator('usuario-longo');
  const id = (earlierAccount ?? (await invite('usuario-longo')))._id;
  const { setupToken } = (await core.request('POST', `/admins/${id}/reset`)).body;
  const { status, body } = await setPassword(setupToken, password);
  expect([status, Object.keys(body.fields)]).toEqual([400, ['password']]);
});

test('guesses of setup tokens are limited for each address', async () => {
  const { setupToken } = await invite('alvo');
  for (let guess = 0; guess < 20; guess += 1)
    expect((await setPassword(`errado ${guess}`, PASSWORD, '192.0.2.1')).status).toBe(400);
  expect((await setPassword(setupToken, PASSWORD, '192.0.2.1')).status).toBe(429);
  expect((await setPassword(setupToken, PASSWORD, '192.0.2.2')).status).toBe(204);
});

test('a reset removes the password and the second factor, and ends every session', async () => {
  const person = await createAdministratorWithTotp('bia');
  const resetResponse = await core.request('POST', `/admins/${person._id}/reset`);
  expect([resetResponse.status, resetResponse.body]).toMatchObject([201, { username: 'bia', totp: false }]);
  expect((await person.request('GET', '/me')).status).toBe(401);
  expect((await login('bia', PASSWORD, generateTotp(person.secret))).status).toBe(401);
  expect((await setPassword(resetResponse.body.setupToken, 'senha depois do reset')).status).toBe(204);
  expect((await login('bia', 'senha depois do reset')).status).toBe(200);
});

test('administrators cannot reset themselves', async () => {
  const { _id, request: requestAs } = await createAdministrator('rute');
  const { status, body } = await requestAs('POST', `/admins/${_id}/reset`);
  expect([status, body]).toEqual([409, { error: 'Você não pode redefinir a própria conta.' }]);
  expect((await login('rute', PASSWORD)).status).toBe(200);
});

test('administrators can remove others, but not themselves', async () => {
  const { _id, request } = await createAdministrator('caio');
  expect((await core.request('DELETE', `/admins/${ownId}`)).status).toBe(409);
  expect((await core.request('DELETE', `/admins/${_id}`)).status).toBe(204);
  expect((await request('GET', '/me')).status).toBe(401);
  expect((await login('caio', PASSWORD)).status).toBe(401);
  for (const [method, path] of [
    ['DELETE', `/admins/${_id}`],
    ['POST', `/admins/${_id}/reset`],
  ] as const)
    expect((await core.request(method, path)).status).toBe(404);
});

test('if two administrators remove each other at the same time, at least one removal succeeds', async () => {
  const [first, second] = [await createAdministrator('um'), await createAdministrator('dois')];
  const responses = await Promise.all([
    first.request('DELETE', `/admins/${second._id}`),
    second.request('DELETE', `/admins/${first._id}`),
  ]);
  expect(responses.map(({ status }) => status)).toContain(204);
  expect(await findAdministrator('admin')).toBeDefined();
});

describe('the second factor', () => {
  test('is required only after a correct password', async () => {
    const { secret, uri } = await createAdministratorWithTotp('dora');
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(uri).toBe(
      `otpauth://totp/Est%C3%BAdio%20Sete:dora?secret=${secret}&issuer=Est%C3%BAdio%20Sete&algorithm=SHA1&digits=6&period=30`,
    );
    const refusal = await login('dora', 'senha errada');
    expect([refusal.status, refusal.body]).toEqual([401, { error: 'Usuário ou senha inválidos.' }]);
    const withoutCode = await login('dora', PASSWORD);
    expect([withoutCode.status, withoutCode.body]).toEqual([401, { error: expect.any(String), codeRequired: true }]);
    expect((await login('dora', PASSWORD, '')).body.codeRequired).toBe(true);
    const wrongCodeResponse = await login('dora', PASSWORD, findWrongTotp(secret));
    expect([wrongCodeResponse.status, wrongCodeResponse.body.codeRequired]).toEqual([401, true]);
  });

  test('accepts each code once', async () => {
    const { secret } = await createAdministratorWithTotp('dina');
    // The use of a later code does not invalidate an earlier code that is still accepted.
    const codes = [generateTotp(secret, 1), generateTotp(secret)];
    for (const code of codes) expect((await login('dina', PASSWORD, code)).status).toBe(200);
    for (const code of codes) expect((await login('dina', PASSWORD, code)).status).toBe(401);
    expect((await findAdministrator('dina')).totp).toBe(true);
  });

  test('permits only one of five simultaneous logins with the same code', async () => {
    const { secret } = await createAdministratorWithTotp('eva');
    const code = generateTotp(secret, 1);
    const responses = await Promise.all(Array.from({ length: 5 }, () => login('eva', PASSWORD, code)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401]);
  });

  test('accepts its code with the space that authenticator apps show', async () => {
    const { request } = await createAdministrator('davi');
    const { secret } = (await request('POST', '/me/totp')).body;
    const withSpaces = (code: string) => ` ${code.slice(0, 3)} ${code.slice(3)} `;
    expect((await request('PUT', '/me/totp', { code: withSpaces(generateTotp(secret)) })).status).toBe(200);
    expect((await login('davi', PASSWORD, withSpaces(generateTotp(secret)))).status).toBe(200);
    expect((await request('DELETE', '/me/totp', { code: withSpaces(generateTotp(secret, 1)) })).status).toBe(204);
  });

  test('can be replaced by each of ten recovery codes once, whatever their case and separators', async () => {
    const { recoveryCodes } = await createAdministratorWithTotp('fabio');
    expect(new Set(recoveryCodes).size).toBe(10);
    const [firstCode = '', secondCode = ''] = recoveryCodes;
    expect(firstCode).toMatch(/^([a-z2-7]{4}-){3}[a-z2-7]{4}$/);
    expect((await login('fabio', PASSWORD, firstCode)).status).toBe(200);
    expect((await login('fabio', PASSWORD, firstCode)).status).toBe(401);
    expect((await login('fabio', PASSWORD, secondCode.toUpperCase().replaceAll('-', ' '))).status).toBe(200);
  });

  test('accepts only recovery codes after ten wrong codes, even if each came from another address', async () => {
    const { secret, recoveryCodes } = await createAdministratorWithTotp('gil');
    // A login without a code does not count as a wrong code.
    for (let attempt = 0; attempt < 15; attempt += 1)
      expect((await login('gil', PASSWORD)).body.codeRequired).toBe(true);
    const wrongCode = findWrongTotp(secret);
    for (let guess = 0; guess < 10; guess += 1) expect((await login('gil', PASSWORD, wrongCode)).status).toBe(401);
    const lockedResponse = await login('gil', PASSWORD, generateTotp(secret, 1));
    expect([lockedResponse.status, Number(lockedResponse.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect((await login('gil', PASSWORD, recoveryCodes[0])).status).toBe(200);
  });

  test('cannot be removed by a TOTP code after ten wrong ones, even if many addresses guess in parallel', async () => {
    const { secret, token } = await createAdministratorWithTotp('gabi');
    const endSecondFactor = (code: string) => {
      const headers = createAddressHeaders(`2001:db8:${++addressCount}::1`);
      return core.request('DELETE', '/me/totp', { token, body: { code }, headers });
    };
    const wrongCode = findWrongTotp(secret);
    const responses = await Promise.all(Array.from({ length: 30 }, () => endSecondFactor(wrongCode)));
    expect(responses.filter(({ status }) => status === 400)).toHaveLength(10);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(20);
    expect((await endSecondFactor(generateTotp(secret, 1))).status).toBe(429);
    expect((await login('gabi', PASSWORD, generateTotp(secret, 1))).status).toBe(429);
  });

  test('is switched on, and later off, with a code of its secret', async () => {
    const { request } = await createAdministrator('hugo');
    expect((await request('PUT', '/me/totp', { code: '123456' })).status).toBe(409);
    const { secret } = (await request('POST', '/me/totp')).body;
    const response = await request('PUT', '/me/totp', { code: findWrongTotp(secret) });
    expect([response.status, Object.keys(response.body.fields)]).toEqual([400, ['code']]);
    expect((await login('hugo', PASSWORD)).status).toBe(200);
    expect((await request('PUT', '/me/totp', { code: generateTotp(secret) })).status).toBe(200);
    expect((await request('POST', '/me/totp')).status).toBe(409);
    expect((await login('hugo', PASSWORD)).status).toBe(401);
    expect((await request('DELETE', '/me/totp', { code: findWrongTotp(secret) })).status).toBe(400);
    expect((await request('DELETE', '/me/totp', { code: generateTotp(secret, 1) })).status).toBe(204);
    expect((await request('DELETE', '/me/totp', { code: generateTotp(secret) })).status).toBe(409);
    expect((await login('hugo', PASSWORD)).status).toBe(200);
  });

  test('survives a restart of the core', async () => {
    const { secret } = await createAdministratorWithTotp('iris');
    await core.end('SIGTERM');
    await core.start();
    expect((await login('iris', PASSWORD)).body.codeRequired).toBe(true);
    expect((await login('iris', PASSWORD, generateTotp(secret, 1))).status).toBe(200);
  });
});

test('the audit trail records changes of administrators without their secrets', async () => {
  const { _id, secret, recoveryCodes } = await createAdministratorWithTotp('joana');
  const { entries } = (await core.request('GET', '/audit?entity=admin&limit=100')).body;
  const accountEntries = entries.filter(({ entityId }: { entityId: string }) => entityId === _id);
  expect(
    accountEntries.map(({ actor, action, changes }: Record<string, unknown>) => [
      actor,
      action,
      Object.keys(changes as object),
    ]),
  ).toEqual([
    ['joana', 'update', ['totpSecret']],
    ['joana', 'update', ['passwordHash', 'setupDigest']],
    ['admin', 'create', ['username', 'role', 'setupDigest']],
  ]);
  const text = JSON.stringify(entries);
  // `$argon2` begins every hash of a password, and `v1.` every encrypted text.
  for (const secretText of [secret, decodeBase32(secret).toString('hex'), '$argon2', 'v1.', ...recoveryCodes])
    expect(text).not.toContain(secretText);
  expect(core.output).not.toContain(PASSWORD);
});
