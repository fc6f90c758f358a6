import { ADMINISTRATOR, PRINTED_HASH_CALLS } from '../../../../../scripts/testing/stack';
import { Core } from '../../../testing/core';

let core: Core;
beforeAll(async () => {
  core = await new Core({ NODE_OPTIONS: PRINTED_HASH_CALLS }).start();
});
afterAll(() => core?.stop());

/** Returns the argon2 calls of one login, with their parameters. */
async function captureHashCalls(username: string): Promise<string[]> {
  const earlierLength = core.output.length;
  const { status } = await core.request('POST', '/login', { body: { username, password: 'errada' }, token: null });
  expect(status).toBe(401);
  return core.output.slice(earlierLength).match(/^argon2 .*$/gm) ?? [];
}

test('an unknown username, or an account without a password, costs the same hash as a wrong password', async () => {
  const invitedPerson = { username: 'joana', role: 'viewer' };
  expect((await core.request('POST', '/admins', { body: invitedPerson })).status).toBe(201);
  const service = { name: 'deploy', role: 'operator' };
  expect((await core.request('POST', '/service-accounts', { body: service })).status).toBe(201);
  // The first login of a core also creates the decoy hash.
  await captureHashCalls('ninguem');
  const expected = ['argon2 verify argon2id v=19 m=19456,t=2,p=1'];
  for (const username of [ADMINISTRATOR.username, 'ninguem', 'joana', 'deploy'])
    expect([username, await captureHashCalls(username)]).toEqual([username, expected]);
});
