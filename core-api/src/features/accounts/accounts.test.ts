import jwt from 'jsonwebtoken';
import { ADMINISTRATOR } from '../../../../scripts/testing/stack';
import { Core } from '../../testing/core';
import { createPerson } from '../../testing/records';
import { SessionTokens } from './sessions/session-tokens';

const secret = 'um segredo de teste com mais de 32 bytes';
let core: Core;
beforeAll(async () => {
  core = await new Core({ JWT_SECRET: secret, TRUSTED_PROXIES: '127.0.0.1' }).start();
});
afterAll(() => core.stop());

const login = (body: unknown, address = '203.0.113.1') =>
  core.request('POST', '/login', { body, token: null, headers: { 'X-Forwarded-For': address } });
const getMe = (token: string | null, headers?: Record<string, string>) =>
  core.request('GET', '/me', { token, headers });
const withoutClaim = (claim: string) =>
  Object.fromEntries(Object.entries(decodeClaims()).filter(([name]) => name !== claim));
const decodeClaims = () => jwt.decode(core.token) as jwt.JwtPayload;

describe('login', () => {
  test('returns a token that identifies the account', async () => {
    const { status, headers, body } = await login(ADMINISTRATOR);
    expect([status, Object.keys(body)]).toEqual([200, ['token']]);
    expect(headers.get('cache-control')).toBe('no-store');
    expect((await getMe(body.token)).body).toEqual({
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

  test('accepts the username in another case and with blanks around it', async () => {
    expect((await login({ ...ADMINISTRATOR, username: ' Admin ' })).status).toBe(200);
  });

  test('gives the same response to a wrong password and an unknown name', async () => {
    const wrongPasswordResponse = await login({ username: 'admin', password: 'errada' });
    const unknownNameResponse = await login({ username: 'ninguem', password: 'errada' });
    expect([wrongPasswordResponse.status, wrongPasswordResponse.body]).toEqual([
      401,
      { error: 'Usuário ou senha inválidos.' },
    ]);
    expect([unknownNameResponse.status, unknownNameResponse.body]).toEqual([
      wrongPasswordResponse.status,
      wrongPasswordResponse.body,
    ]);
    expect(wrongPasswordResponse.headers.get('www-authenticate')).toBe('Bearer');
  });

  test.each([
    [{}, ['username', 'password']],
    [{ username: 'admin' }, ['password']],
    [{ username: { $ne: null }, password: ['x'] }, ['username', 'password']],
    [{ username: 'admin', password: 'x'.repeat(513) }, ['password']],
  ])('refuses the body %j', async (body, fields) => {
    const response = await login(body);
    expect([response.status, Object.keys(response.body.fields)]).toEqual([400, fields]);
  });
});

describe('session tokens', () => {
  test.each([
    ['no token', () => null],
    ['a malformed token', () => 'abc.def.ghi'],
    ['a token signed with another secret', () => jwt.sign(decodeClaims(), 'outro segredo de teste com 32 bytes!!')],
    ['a token without a signature', () => jwt.sign(decodeClaims(), '', { algorithm: 'none' })],
    ['a token of another algorithm', () => jwt.sign(decodeClaims(), secret, { algorithm: 'HS512' })],
    ['a token for another audience', () => jwt.sign({ ...decodeClaims(), aud: 'outra' }, secret)],
    ['a token of another issuer', () => jwt.sign({ ...decodeClaims(), iss: 'outro' }, secret)],
    ['a token without an expiry', () => jwt.sign(withoutClaim('exp'), secret)],
    ['an expired token', () => jwt.sign({ ...decodeClaims(), iat: 1, exp: 2 }, secret)],
    [
      'a token that is issued in the future',
      () => jwt.sign({ ...decodeClaims(), iat: Math.floor(Date.now() / 1000) + 600 }, secret),
    ],
    ['a token of an unknown account', () => jwt.sign({ ...decodeClaims(), sub: 'ninguem' }, secret)],
  ])('a request with %s is refused', async (_name, token) => {
    const response = await getMe(token());
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect(response.body).toEqual({ error: expect.any(String) });
  });

  test('tolerate a clock skew of 10 s with a validity of 12 hours, but not with a validity of 30 s', () => {
    const now = Math.floor(Date.now() / 1000);
    const expiredToken = jwt.sign({ version: 1, iat: now - 20, exp: now - 10 }, secret, {
      subject: 'x',
      issuer: decodeClaims().iss,
      audience: String(decodeClaims().aud),
    });
    expect(new SessionTokens(secret, 12 * 3600).verify(expiredToken)).toMatchObject({ accountId: 'x', version: 1 });
    expect(new SessionTokens(secret, 30).verify(expiredToken)).toBeUndefined();
  });

  test('are accepted in the Authorization header only', async () => {
    expect((await getMe(null, { Authorization: `bearer ${core.token}` })).status).toBe(200);
    expect((await getMe(null, { Cookie: `token=${core.token}` })).status).toBe(401);
    expect((await core.request('GET', `/me?token=${core.token}`, { token: null })).status).toBe(401);
    expect((await getMe(null, { Authorization: `Basic ${core.token}` })).status).toBe(401);
  });
});

test('a new password ends every earlier session', async () => {
  const { token, credentials } = await createPerson(core);
  const changePassword = (currentPassword: string, newPassword: string) =>
    core.request('PUT', '/me/password', { token, body: { currentPassword, newPassword } });
  const wrongPasswordResponse = await changePassword('errada', 'uma senha nova');
  expect([wrongPasswordResponse.status, Object.keys(wrongPasswordResponse.body.fields)]).toEqual([
    400,
    ['currentPassword'],
  ]);
  const shortPasswordResponse = await changePassword(credentials.password, 'curta');
  expect([shortPasswordResponse.status, Object.keys(shortPasswordResponse.body.fields)]).toEqual([
    400,
    ['newPassword'],
  ]);
  expect((await getMe(token)).status).toBe(200);

  expect((await changePassword(credentials.password, 'uma senha nova')).status).toBe(204);
  expect((await getMe(token)).status).toBe(401);
  expect((await login(credentials)).status).toBe(401);
  expect((await login({ ...credentials, password: 'uma senha nova' })).status).toBe(200);
});
