import { waitFor } from '../../../../../scripts/testing/program';
import { ADMINISTRATOR } from '../../../../../scripts/testing/stack';
import { DAY_MS, MINUTE_MS } from '../../../platform/time/relative-time';
import { Core, type RestResponse } from '../../../testing/core';
import { createPerson, PERSON_PASSWORD } from '../../../testing/records';
import { toCounterKey } from './failure-counters';

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
/** Makes `count` attempts one after the other. */
async function repeatAttempt(count: number, attempt: (index: number) => Promise<RestResponse>) {
  const responses: RestResponse[] = [];
  for (let index = 0; index < count; index += 1) responses.push(await attempt(index));
  return responses;
}
/** Sets a counter to a number of failures. Real attempts would be slow, because each attempt computes a hash. */
const setFailures = (parts: string[], failures: number) =>
  core.query(`UPDATE login_failures SET failures = ${failures} WHERE key = '${toCounterKey(...parts)}'`);

test('20 failures from one address lock the account for this address, on every core and after a restart', async () => {
  const responses = await repeatAttempt(21, (index) => login(WRONG, '198.51.100.1', index % 2 ? core : otherCore));
  expect(countStatuses(responses)).toEqual({ 401: 20, 429: 1 });
  const lockedResponse = await login(ADMINISTRATOR, '198.51.100.1');
  const retryAfterS = Number(lockedResponse.headers.get('retry-after'));
  expect([lockedResponse.status, retryAfterS > 0 && retryAfterS <= 900]).toEqual([429, true]);
  await otherCore.end('SIGKILL');
  await otherCore.start();
  expect((await login(ADMINISTRATOR, '198.51.100.1', otherCore)).status).toBe(429);
  expect((await login(ADMINISTRATOR, '198.51.100.2')).status).toBe(200);
});

test('after 200 failures an account is locked for unknown addresses, but not for known ones', async () => {
  const { credentials } = await createPerson(core, {}, createAddressHeaders('203.0.113.2'));
  const guess = (address: string) => login({ ...credentials, password: 'errada' }, address);
  const responses = await repeatAttempt(10, (index) => guess(`198.18.0.${index}`));
  expect(countStatuses(responses)).toEqual({ 401: 10 });
  await setFailures(['strangers', credentials.username], 190);
  const flood = await Promise.all(
    Array.from({ length: 5 }, (_, index) => repeatAttempt(4, () => guess(`198.18.2.${index}`))),
  );
  expect(countStatuses(flood.flat())).toEqual({ 401: 10, 429: 10 });
  expect((await login(credentials, '198.18.1.1')).status).toBe(429);
  expect((await login(credentials, '203.0.113.2')).status).toBe(200);
});

test('after 50 failures an IPv6 /64 network is locked for every username', async () => {
  const responses = await repeatAttempt(51, (index) =>
    login({ username: `n${index}`, password: 'x' }, `2001:db8:1:2:${index}::1`),
  );
  expect(countStatuses(responses)).toEqual({ 401: 50, 429: 1 });
  expect((await login({ username: 'n', password: 'x' }, '2001:db8:1:3::1')).status).toBe(401);
});

test('simultaneous guesses cannot exceed the limit', async () => {
  const guess = (atCore: Core) => login({ username: 'juntos', password: 'errada' }, '192.0.2.1', atCore);
  const responses = await Promise.all(Array.from({ length: 60 }, (_, index) => guess(index % 2 ? core : otherCore)));
  // The queue of a core refuses some simultaneous guesses without counting them, so later guesses reach the limit.
  const laterResponses = await repeatAttempt(21, () => guess(core));
  expect(countStatuses([...responses, ...laterResponses])).toEqual({ 401: 20, 429: 61 });
});

test('logins beyond the capacity of the queue are refused, while the core answers other requests', async () => {
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
  expect(countStatuses(await repeatAttempt(21, attempt))).toEqual({ 401: 20, 429: 1 });
  const pairKey = toCounterKey('pair', 'relogio', '192.0.6.1');
  await core.query(`UPDATE login_failures SET "endsAt" = '2099-01-01T00:00:00.000Z' WHERE key = '${pairKey}'`);
  expect((await attempt()).status).toBe(401);
});

describe('the password cannot be changed', () => {
  const changePassword = (token: string, currentPassword: string, address = '192.0.5.1', atCore = core) =>
    atCore.request('PUT', '/me/password', {
      token,
      body: { currentPassword, newPassword: 'outra senha bem longa' },
      headers: createAddressHeaders(address),
    });

  test('after ten wrong current passwords from any addresses, on every core, but logins succeed', async () => {
    const { token, credentials } = await createPerson(core);
    const responses = await repeatAttempt(11, (index) =>
      changePassword(token, 'errada', `2001:db8:${index}::1`, index % 2 ? core : otherCore),
    );
    expect(countStatuses(responses)).toEqual({ 400: 10, 429: 1 });
    expect((await changePassword(token, PERSON_PASSWORD)).status).toBe(429);
    expect((await login(credentials, '192.0.5.2')).status).toBe(200);
  });

  test('for the rest of the day after 50 wrong current passwords', async () => {
    const { _id, token } = await createPerson(core);
    await changePassword(token, 'errada');
    // The counters are as after 49 failures in a day, none of them in the last 15 minutes.
    await setFailures(['guess', 'password', _id, String(15 * MINUTE_MS)], 0);
    await setFailures(['guess', 'password', _id, String(DAY_MS)], 49);
    const responses = await repeatAttempt(2, () => changePassword(token, 'errada'));
    expect(countStatuses(responses)).toEqual({ 400: 1, 429: 1 });
  });
});

test('after 200 failures a /48 network is locked for every username and for every /64 within the network', async () => {
  const attempt = (index: number) =>
    login({ username: `s${index}`, password: 'x' }, `2001:db8:77:${index.toString(16)}::1`);
  expect(countStatuses(await repeatAttempt(10, attempt))).toEqual({ 401: 10 });
  await setFailures(['site', '2001:db8:77::/48'], 199);
  const responses = await repeatAttempt(2, (index) => attempt(100 + index));
  expect(countStatuses(responses)).toEqual({ 401: 1, 429: 1 });
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
