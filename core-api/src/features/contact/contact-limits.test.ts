import { Core } from '../../testing/core';

const startCore = () => new Core({ TRUSTED_PROXIES: '127.0.0.1' }).start();
let core: Core;
beforeAll(async () => {
  core = await startCore();
});
afterAll(() => core?.stop());

const postMessage = (address: string, changes: object = {}, atCore = core) =>
  atCore.request('POST', '/contact', {
    body: { name: 'Ana', email: 'ana@exemplo.com.br', message: 'Olá', ...changes },
    token: null,
    headers: { 'X-Forwarded-For': address },
  });
const postForStatus = async (address: string, atCore = core) => (await postMessage(address, {}, atCore)).status;
const postAndCountStatuses = async (addresses: readonly string[], atCore = core) => {
  const counts: Record<number, number> = {};
  for (const status of await Promise.all(addresses.map((address) => postForStatus(address, atCore))))
    counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};
const createAddresses = (count: number, toAddress: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => toAddress(index));

test('an IPv6 /64 network may send at most ten messages in ten minutes', async () => {
  expect(await postAndCountStatuses(createAddresses(11, (index) => `2001:db8:7:7:${index}::1`))).toEqual({
    201: 10,
    429: 1,
  });
  expect(await postForStatus('2001:db8:7:8::1')).toBe(201);
});

test('an address may send at most ten messages in ten minutes, even if twelve arrive at the same moment', async () => {
  const startedAt = Date.now();
  expect(await postAndCountStatuses(createAddresses(12, () => '203.0.113.1'))).toEqual({ 201: 10, 429: 2 });
  const refusal = await postMessage('203.0.113.1');
  const retryAfterS = Number(refusal.headers.get('retry-after'));
  expect(refusal.status).toBe(429);
  expect(retryAfterS).toBeGreaterThanOrEqual(600 - Math.ceil((Date.now() - startedAt) / 1000));
  expect(retryAfterS).toBeLessThanOrEqual(600);
  expect((await postMessage('203.0.113.1', { name: '' })).status).toBe(400);
  expect(await postForStatus('203.0.113.2')).toBe(201);
});

test('an IPv6 /48 network may send at most 30 messages in 10 minutes from all its /64 networks', async () => {
  expect(await postAndCountStatuses(createAddresses(40, (index) => `2001:db8:5:${index}::1`))).toEqual({
    201: 30,
    429: 10,
  });
  expect(await postForStatus('2001:db8:6::1')).toBe(201);
});

test('all addresses together may send at most 300 messages in an hour', async () => {
  const busyCore = await startCore();
  try {
    expect(
      await postAndCountStatuses(
        createAddresses(10, (index) => `198.51.100.${index}`),
        busyCore,
      ),
    ).toEqual({ 201: 10 });
    // The 10 stored messages and 29 copies of each make 300. Each copy has another first byte in its id.
    for (let copy = 0; copy < 29; copy += 1)
      await busyCore.query(
        `INSERT INTO contact_messages (_id, name, email, message, spam, handled, address, "createdAt")
         SELECT '${(0xc0 + copy).toString(16)}' || substr(_id, 3), name, email, message, spam, handled, 'copy', "createdAt"
         FROM contact_messages WHERE address <> 'copy'`,
      );
    expect(await postForStatus('203.0.113.1', busyCore)).toBe(429);
  } finally {
    await busyCore.stop();
  }
});
