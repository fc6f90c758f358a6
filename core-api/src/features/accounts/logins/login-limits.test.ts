import { waitFor } from '../../../../../scripts/testing/program';
import { ADMINISTRATOR } from '../../../../../scripts/testing/stack';
import { Core } from '../../../testing/core';

const core = new Core({ TRUSTED_PROXIES: '127.0.0.1' });
/** Another core on the same database. */
let otherCore: Core;
beforeAll(async () => {
  await core.start();
  otherCore = new Core({ ...core.database, TRUSTED_PROXIES: '127.0.0.1' });
  otherCore.token = core.token;
  await otherCore.start();
});
afterAll(async () => {
  await otherCore.stop();
  await core.stop();
});

const WRONG = { ...ADMINISTRATOR, password: 'errada' };
const createAddressHeaders = (address: string) => ({ 'X-Forwarded-For': address });
const login = (body: unknown, address: string, atCore = core) =>
  atCore.request('POST', '/login', { body, token: null, headers: createAddressHeaders(address) });
const countStatuses = (responses: { status: number }[]) => {
  const counts: Record<number, number> = {};
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};
const isoIn16Minutes = () => new Date(Date.now() + 16 * 60_000).toISOString();
/** Makes `count` attempts one after the other. @returns the number of responses with each status */
async function repeatAttempt(count: number, attempt: (index: number) => ReturnType<typeof login>) {
  const responses: Awaited<ReturnType<typeof login>>[] = [];
  for (let index = 0; index < count; index += 1) responses.push(await attempt(index));
  return countStatuses(responses);
}

test('20 failures from one address lock the account for this address, on every core and after a restart', async () => {
  const statusCounts = await repeatAttempt(21, (index) => login(WRONG, '198.51.100.1', index % 2 ? core : otherCore));
  expect(statusCounts).toEqual({ 401: 20, 429: 1 });
  const lockedResponse = await login(ADMINISTRATOR, '198.51.100.1');
  const retryAfterS = Number(lockedResponse.headers.get('retry-after'));
  expect([lockedResponse.status, retryAfterS > 0 && retryAfterS <= 900]).toEqual([429, true]);
  await otherCore.end('SIGKILL');
  await otherCore.start();
  expect((await login(ADMINISTRATOR, '198.51.100.1', otherCore)).status).toBe(429);
  expect((await login(ADMINISTRATOR, '198.51.100.2')).status).toBe(200);
});

test('after 200 failures an account is locked for unknown addresses, but not for known ones', async () => {
  expect((await login(ADMINISTRATOR, '203.0.113.1')).status).toBe(200);
  expect(await repeatAttempt(10, (index) => login(WRONG, `198.18.0.${index}`))).toEqual({ 401: 10 });
  // Each of 180 further attempts would compute a hash, so the test sets the counter.
  await core.query('UPDATE login_failures SET failures = 190 WHERE failures >= 10');
  const flood = await Promise.all(
    Array.from({ length: 5 }, (_, index) => repeatAttempt(4, () => login(WRONG, `198.18.2.${index}`))),
  );
  const failedCount = flood.reduce((sum, counts) => sum + (counts[401] ?? 0), 0);
  expect(failedCount).toBe(10);
  expect((await login(ADMINISTRATOR, '198.18.1.1')).status).toBe(429);
  expect((await login(ADMINISTRATOR, '203.0.113.1')).status).toBe(200);
});

test('after 50 failures an IPv6 /64 network is locked for every username', async () => {
  const statusCounts = await repeatAttempt(51, (index) =>
    login({ username: `n${index}`, password: 'x' }, `2001:db8:1:2:${index}::1`),
  );
  expect(statusCounts).toEqual({ 401: 50, 429: 1 });
  expect((await login({ username: 'n', password: 'x' }, '2001:db8:1:3::1')).status).toBe(401);
});

test('simultaneous guesses cannot exceed the limit', async () => {
  const guesses = Array.from({ length: 60 }, (_, index) =>
    login({ username: 'juntos', password: 'errada' }, '192.0.2.1', index % 2 ? core : otherCore),
  );
  const { 401: failedCount = 0, 429: refusedCount = 0 } = countStatuses(await Promise.all(guesses));
  expect(failedCount + refusedCount).toBe(60);
  expect(failedCount).toBeLessThanOrEqual(20);
  const laterCounts = await repeatAttempt(21 - failedCount, () =>
    login({ username: 'juntos', password: 'errada' }, '192.0.2.1'),
  );
  expect(laterCounts).toEqual({ ...(failedCount < 20 && { 401: 20 - failedCount }), 429: 1 });
});

test('logins beyond the capacity of the queue are refused, and the core still answers other requests', async () => {
  const flood = Promise.all(
    Array.from({ length: 200 }, (_, index) => login({ username: `f${index}`, password: 'x' }, `192.0.3.${index}`)),
  );
  expect((await fetch(`${core.url}/healthz`)).status).toBe(200);
  const counts = countStatuses(await flood);
  // On a busy machine an attempt may exceed the time budget of its call while it waits in the queue, which gives 503.
  expect(Object.keys(counts).filter((status) => !['401', '429', '503'].includes(status))).toEqual([]);
  expect(counts[429]).toBeGreaterThan(0);
  expect((await login({ username: 'depois', password: 'x' }, '192.0.4.1')).status).toBe(401);
});

test('a clock that was ahead locks nobody out after its correction', async () => {
  const attempt = () => login({ username: 'relogio', password: 'errada' }, '192.0.6.1');
  expect(await repeatAttempt(21, attempt)).toEqual({ 401: 20, 429: 1 });
  await core.query(`UPDATE login_failures SET "endsAt" = '2099-01-01T00:00:00.000Z'`);
  expect((await attempt()).status).toBe(401);
});

test('after ten wrong current passwords the password cannot be changed from any address, on any core', async () => {
  const changePassword = (currentPassword: string, address: string, atCore = core) =>
    atCore.request('PUT', '/me/password', {
      token: core.token,
      body: { currentPassword, newPassword: 'outra senha bem longa' },
      headers: createAddressHeaders(address),
    });
  const wrongPasswordCounts = await repeatAttempt(11, (index) =>
    changePassword('errada', `2001:db8:${index}::1`, index % 2 ? core : otherCore),
  );
  expect(wrongPasswordCounts).toEqual({ 400: 10, 429: 1 });
  expect((await changePassword(ADMINISTRATOR.password, '192.0.5.1')).status).toBe(429);
  // The limits of logins are separate.
  expect((await login(ADMINISTRATOR, '192.0.5.2')).status).toBe(200);
});

test('after 50 wrong current passwords in a day the password cannot be changed for the rest of the day', async () => {
  const changePassword = (currentPassword: string) =>
    core.request('PUT', '/me/password', { body: { currentPassword, newPassword: 'outra senha bem longa' } });
  await changePassword('errada');
  // The window of 15 minutes is over; the window of a day has 49 failures.
  await core.query(`UPDATE login_failures SET failures = 49 WHERE "endsAt" > '${isoIn16Minutes()}'`);
  await core.query(`DELETE FROM login_failures WHERE "endsAt" <= '${isoIn16Minutes()}'`);
  expect(await repeatAttempt(2, () => changePassword('errada'))).toEqual({ 400: 1, 429: 1 });
});

test('after 200 failures a /48 network is locked for every username and for every /64 within the network', async () => {
  const attempt = (index: number) =>
    login({ username: `s${index}`, password: 'x' }, `2001:db8:77:${index.toString(16)}::1`);
  expect(await repeatAttempt(10, attempt)).toEqual({ 401: 10 });
  await core.query('UPDATE login_failures SET failures = 199 WHERE failures = 10');
  expect(await repeatAttempt(2, (index) => attempt(100 + index))).toEqual({ 401: 1, 429: 1 });
  expect((await login({ username: 's', password: 'x' }, '2001:db8:78::1')).status).toBe(401);
});

test('a flood of logins from unknown addresses does not block a known address', async () => {
  expect((await login(ADMINISTRATOR, '203.0.113.9')).status).toBe(200);
  const flood = Promise.all(
    Array.from({ length: 120 }, (_, index) => login({ username: `x${index}`, password: 'x' }, `198.19.7.${index}`)),
  );
  const knownLogins = await Promise.all(Array.from({ length: 5 }, () => login(ADMINISTRATOR, '203.0.113.9')));
  expect(countStatuses(knownLogins)).toEqual({ 200: 5 });
  expect(countStatuses(await flood)[429]).toBeGreaterThan(0);
});

test('the log has a line per login with its result and address, and the account only if it exists', async () => {
  const findLoginLines = () =>
    core.output
      .split('\n')
      .filter((line) => line.includes('"event":"login"'))
      .map((line): Record<string, unknown> => JSON.parse(line));
  const waitForLine = (address: string) =>
    waitFor('the line of the login', () => findLoginLines().find((line) => line.address === address)).then(
      ({ result, account }) => ({
        result,
        account,
      }),
    );
  await login(ADMINISTRATOR, '192.0.9.1');
  await login(WRONG, '192.0.9.2');
  await login({ username: 'minha-senha-secreta', password: 'x' }, '192.0.9.3');
  expect(await waitForLine('192.0.9.1')).toEqual({ result: 'success', account: 'admin' });
  expect(await waitForLine('192.0.9.2')).toEqual({ result: 'failure', account: 'admin' });
  expect(await waitForLine('192.0.9.3')).toEqual({ result: 'failure', account: undefined });
  expect(core.output).not.toContain('minha-senha-secreta');
});

test('a logout ends only its session, on every core', async () => {
  const firstToken = (await login(ADMINISTRATOR, '203.0.113.1')).body.token;
  const secondToken = (await login(ADMINISTRATOR, '203.0.113.1')).body.token;
  const getMeStatus = async (token: string, atCore = core) => (await atCore.request('GET', '/me', { token })).status;
  expect([
    await getMeStatus(firstToken),
    await getMeStatus(secondToken),
    await getMeStatus(firstToken, otherCore),
  ]).toEqual([200, 200, 200]);
  expect((await core.request('POST', '/logout', { token: firstToken })).status).toBe(204);
  expect([await getMeStatus(firstToken), await getMeStatus(secondToken)]).toEqual([401, 200]);
  await waitFor('a refusal by the other core', async () => (await getMeStatus(firstToken, otherCore)) === 401);
  expect(await getMeStatus(secondToken, otherCore)).toBe(200);
  expect((await core.request('POST', '/logout', { token: firstToken })).status).toBe(401);
});
