import { Core } from '../../testing/core';

let core: Core;
beforeAll(async () => {
  core = await new Core({ TRUSTED_PROXIES: '127.0.0.1' }).start();
});
/** Each test begins without messages. */
beforeEach(async () => {
  for (const { _id } of (await listMessages()).messages) await core.request('DELETE', `/contact/${_id}`);
});
afterAll(() => core?.stop());

let addressCount = 0;
async function sendMessage(name = 'Ana'): Promise<string> {
  addressCount += 1;
  const body = { name, email: 'ana@exemplo.com', message: 'Olá.' };
  const headers = { 'X-Forwarded-For': `203.0.113.${addressCount}` };
  return (await core.request('POST', '/contact', { body, token: null, headers })).body._id;
}
const listMessages = async (query = '') => (await core.request('GET', `/contact${query}`)).body;
const toIds = (page: { messages: { _id: string }[] }) => page.messages.map(({ _id }) => _id);

test('a cursor continues after its page, even if messages have arrived or were removed', async () => {
  const sentIds: string[] = [];
  for (let count = 0; count < 5; count += 1) sentIds.unshift(await sendMessage());
  const firstPage = await listMessages('?limit=2');
  expect(toIds(firstPage)).toEqual(sentIds.slice(0, 2));
  const lateId = await sendMessage();
  const secondPage = await listMessages(`?limit=2&before=${firstPage.next}`);
  expect([toIds(secondPage), secondPage.total]).toEqual([sentIds.slice(2, 4), 6]);
  expect((await core.request('DELETE', `/contact/${sentIds[3]}`)).status).toBe(204);
  // The cursor of the second page names the removed message.
  const thirdPage = await listMessages(`?limit=2&before=${secondPage.next}`);
  expect([toIds(thirdPage), thirdPage.next]).toEqual([sentIds.slice(4), null]);
  expect(toIds(await listMessages('?limit=1'))).toEqual([lateId]);
  expect((await core.request('GET', '/contact?before=ontem')).status).toBe(400);
});

test('a message counts as unread until it is marked as handled', async () => {
  const id = await sendMessage('Bia');
  expect((await listMessages()).unread).toBe(1);
  const markResponse = await core.request('PUT', `/contact/${id}`, { body: { handled: true } });
  expect([markResponse.status, markResponse.body]).toMatchObject([200, { _id: id, name: 'Bia', handled: true }]);
  expect((await listMessages()).unread).toBe(0);
  expect((await core.request('PUT', `/contact/${id}`, { body: { handled: false } })).body.handled).toBe(false);
  expect((await core.request('PUT', `/contact/${id}`, { body: { handled: 'sim' } })).status).toBe(400);
});

test('the removal of a message leaves only an audit entry without text of the visitor', async () => {
  const id = await sendMessage('Bia');
  expect((await core.request('DELETE', `/contact/${id}`)).status).toBe(204);
  for (const [method, body] of [
    ['PUT', { handled: true }],
    ['DELETE', undefined],
  ] as const)
    expect((await core.request(method, `/contact/${id}`, { body })).status).toBe(404);
  const { entries } = (await core.request('GET', '/audit?entity=contact&limit=1')).body;
  const changes = { handled: { before: false } };
  expect(entries[0]).toMatchObject({ action: 'delete', entityId: id, name: '', changes });
  expect(JSON.stringify(entries)).not.toContain('Bia');
});

test('a message that is marked as answered is also handled, and has the time of the mark', async () => {
  const id = await sendMessage('Caio');
  const mark = async (body: object) => (await core.request('PUT', `/contact/${id}`, { body })).body;
  const response = await mark({ answered: true });
  expect(response).toMatchObject({ handled: true, answeredAt: expect.stringMatching(/Z$/) });
  expect(await mark({ handled: false })).toMatchObject({ handled: false, answeredAt: response.answeredAt });
  expect(await mark({ answered: false })).toMatchObject({ handled: false, answeredAt: null });
  const refusal = await core.request('PUT', `/contact/${id}`, { body: {} });
  expect([refusal.status, refusal.body.fields]).toEqual([400, { handled: 'Informe se a mensagem foi tratada.' }]);
  const { entries } = (await core.request('GET', '/audit?entity=contact&limit=3')).body;
  expect(entries.at(-1)).toMatchObject({ entityId: id, changes: { answeredAt: { before: null } } });
});

test('PUT /contact/{id} answers 404 for spam', async () => {
  const body = { name: 'Bot', email: 'bot@exemplo.com', message: 'Compre.', website: 'http://compre.ja' };
  const { _id } = (await core.request('POST', '/contact', { body, token: null })).body;
  expect((await core.request('PUT', `/contact/${_id}`, { body: { handled: true } })).status).toBe(404);
});
