import { until } from '../../../scripts/testing/program';
import { ADMINISTRATOR } from '../../../scripts/testing/stack';
import { Core } from '../testing/core';

const core = new Core({ TRUSTED_PROXIES: '127.0.0.1' });
/** Another core on the same database. */
let other: Core;
beforeAll(async () => {
  await core.start();
  other = new Core({ ...core.database, TRUSTED_PROXIES: '127.0.0.1' });
  other.token = core.token;
  await other.start();
});
afterAll(async () => {
  await other.stop();
  await core.stop();
});

const WRONG = { ...ADMINISTRATOR, password: 'errada' };
const from = (address: string) => ({ 'X-Forwarded-For': address });
const login = (body: unknown, address: string, at = core) =>
  at.ask('POST', '/login', { body, token: null, headers: from(address) });
const statuses = (answers: { status: number }[]) => {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};
/** One after the other, as many as are asked for. */
async function guess(count: number, attempt: (index: number) => ReturnType<typeof login>) {
  const answers: Awaited<ReturnType<typeof login>>[] = [];
  for (let index = 0; index < count; index += 1) answers.push(await attempt(index));
  return statuses(answers);
}

test('20 failures of one account from one address close it for that address alone, on every core, over a restart', async () => {
  const closing = await guess(21, (index) => login(WRONG, '198.51.100.1', index % 2 ? core : other));
  expect(closing).toEqual({ 401: 20, 429: 1 });
  const closed = await login(ADMINISTRATOR, '198.51.100.1');
  const wait = Number(closed.headers.get('retry-after'));
  expect([closed.status, wait > 0 && wait <= 900]).toEqual([429, true]);
  await other.end('SIGKILL');
  await other.start();
  expect((await login(ADMINISTRATOR, '198.51.100.1', other)).status).toBe(429);
  expect((await login(ADMINISTRATOR, '198.51.100.2')).status).toBe(200);
});

test('strangers close an account for strangers after 200 failures; who logged in before is let in', async () => {
  expect((await login(ADMINISTRATOR, '203.0.113.1')).status).toBe(200);
  // Those of the test before were strangers too.
  expect(await guess(10, (index) => login(WRONG, `198.18.0.${index}`))).toEqual({ 401: 10 });
  // The next 160 would cost a hash each.
  await core.query('UPDATE login_failures SET failures = failures + 160 WHERE failures = 30');
  const flood = await Promise.all(
    Array.from({ length: 5 }, (_, index) => guess(4, () => login(WRONG, `198.18.2.${index}`))),
  );
  const answered = flood.reduce((sum, counts) => sum + (counts[401] ?? 0), 0);
  expect(answered).toBe(10);
  expect((await login(ADMINISTRATOR, '198.18.1.1')).status).toBe(429);
  expect((await login(ADMINISTRATOR, '203.0.113.1')).status).toBe(200);
});

test('50 failures of one address close it whatever the names, an IPv6 one with its whole /64', async () => {
  const closing = await guess(51, (index) =>
    login({ username: `n${index}`, password: 'x' }, `2001:db8:1:2:${index}::1`),
  );
  expect(closing).toEqual({ 401: 50, 429: 1 });
  expect((await login({ username: 'n', password: 'x' }, '2001:db8:1:3::1')).status).toBe(401);
});

test('guesses that come together are answered no more often than the limit says', async () => {
  const guesses = Array.from({ length: 60 }, (_, index) =>
    login({ username: 'juntos', password: 'errada' }, '192.0.2.1', index % 2 ? core : other),
  );
  const { 401: answered = 0, 429: refused = 0 } = statuses(await Promise.all(guesses));
  expect(answered + refused).toBe(60);
  expect(answered).toBeLessThanOrEqual(20);
  const left = await guess(21 - answered, () => login({ username: 'juntos', password: 'errada' }, '192.0.2.1'));
  expect(left).toEqual({ ...(answered < 20 && { 401: 20 - answered }), 429: 1 });
});

test('a flood of logins is refused at once beyond the places there are, and the rest goes on', async () => {
  const flood = Promise.all(
    Array.from({ length: 200 }, (_, index) => login({ username: `f${index}`, password: 'x' }, `192.0.3.${index}`)),
  );
  expect((await fetch(`${core.url}/healthz`)).status).toBe(200);
  const counts = statuses(await flood);
  // 503: on a machine that is busy enough a place comes too late for the database's time limit.
  expect(Object.keys(counts).filter((status) => !['401', '429', '503'].includes(status))).toEqual([]);
  expect(counts[429]).toBeGreaterThan(0);
  expect((await login({ username: 'depois', password: 'x' }, '192.0.4.1')).status).toBe(401);
});

test('a clock that ran ahead locks nobody out once it is right again', async () => {
  const attempt = () => login({ username: 'relogio', password: 'errada' }, '192.0.6.1');
  expect(await guess(21, attempt)).toEqual({ 401: 20, 429: 1 });
  await core.query(`UPDATE login_failures SET "endsAt" = '2099-01-01T00:00:00.000Z'`);
  expect((await attempt()).status).toBe(401);
});

test('the own password is guessed no more often than at a login', async () => {
  const change = (currentPassword: string) =>
    core.ask('PUT', '/me/password', {
      body: { currentPassword, newPassword: 'outra senha bem longa' },
      headers: from('192.0.5.1'),
    });
  expect(await guess(21, () => change('errada'))).toEqual({ 400: 20, 429: 1 });
  expect((await change(ADMINISTRATOR.password)).status).toBe(429);
});

test('logout ends that session alone, on every core', async () => {
  const first = (await login(ADMINISTRATOR, '203.0.113.1')).body.token;
  const second = (await login(ADMINISTRATOR, '203.0.113.1')).body.token;
  const me = async (token: string, at = core) => (await at.ask('GET', '/me', { token })).status;
  expect([await me(first), await me(second), await me(first, other)]).toEqual([200, 200, 200]);
  expect((await core.ask('POST', '/logout', { token: first })).status).toBe(204);
  expect([await me(first), await me(second)]).toEqual([401, 200]);
  await until('the other one knows', async () => (await me(first, other)) === 401);
  expect(await me(second, other)).toBe(200);
  expect((await core.ask('POST', '/logout', { token: first })).status).toBe(401);
});
