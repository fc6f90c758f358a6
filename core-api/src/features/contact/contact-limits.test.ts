import { Core } from '../../testing/core';

let core: Core;
beforeEach(async () => {
  core = await new Core({ TRUSTED_PROXIES: '127.0.0.1' }).start();
});
afterEach(() => core?.stop());

const sendMessage = async (address: string) => {
  const body = { name: 'Ana', email: 'ana@exemplo.com.br', message: 'Olá' };
  return (await core.request('POST', '/contact', { body, token: null, headers: { 'X-Forwarded-For': address } }))
    .status;
};
const statuses = async (addresses: readonly string[]) => {
  const counts: Record<number, number> = {};
  for (const status of await Promise.all(addresses.map(sendMessage))) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};
const addresses = (count: number, address: (index: number) => string) =>
  Array.from({ length: count }, (_, at) => address(at));

test('an IPv6 /48 sends at most 30 messages in 10 minutes, from any of its /64', async () => {
  expect(await statuses(addresses(40, (at) => `2001:db8:5:${at}::1`))).toEqual({ 201: 30, 429: 10 });
  expect(await sendMessage('2001:db8:6::1')).toBe(201);
});

test('all addresses together send at most 300 messages in an hour', async () => {
  expect(await statuses(addresses(10, (at) => `198.51.100.${at}`))).toEqual({ 201: 10 });
  const copies = Array.from({ length: 29 }, (_, copy) => copy);
  for (const copy of copies)
    await core.query(
      `INSERT INTO contact_messages (_id, name, email, message, spam, handled, address, "createdAt")
       SELECT '${(0xc0 + copy).toString(16)}' || substr(_id, 3), name, email, message, spam, handled, 'copy', "createdAt"
       FROM contact_messages WHERE address <> 'copy'`,
    );
  expect(await sendMessage('203.0.113.1')).toBe(429);
});
