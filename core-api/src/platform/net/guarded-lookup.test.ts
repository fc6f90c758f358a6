import dns from 'node:dns';
import { createGuardedLookup, findHostRefusal } from './guarded-lookup';

const OWN_PORTS = [3000, 3002];

type Lookup = Parameters<typeof dns.lookup>;
type LookupCallback = (error: Error | null, addresses: { address: string; family: number }[]) => void;

afterEach(() => jest.restoreAllMocks());

/** Replaces `dns.lookup` by a stub that records the calls, so that the test can answer them. */
function stubLookup() {
  const lookups: { name: string; answer: LookupCallback }[] = [];
  jest.spyOn(dns, 'lookup').mockImplementation(((...[name, , answer]: [Lookup[0], unknown, LookupCallback]) => {
    lookups.push({ name, answer });
  }) as never);
  return lookups;
}

const lookUp = (name: string, mayConnect: (address: string) => boolean = () => true) =>
  new Promise((resolve) => {
    createGuardedLookup(mayConnect)(name, { family: 0, hints: 0 }, (error, address) =>
      resolve(error?.message ?? address),
    );
  });

test('concurrent lookups of one name share one query, whose addresses are filtered for each caller', async () => {
  const lookups = stubLookup();
  const addresses = [
    lookUp('silent.test'),
    lookUp('silent.test'),
    lookUp('silent.test', (address) => address === '192.0.2.2'),
  ];
  const otherAddress = lookUp('other.test');
  expect(lookups.map(({ name }) => name)).toEqual(['silent.test', 'other.test']);
  lookups[1]?.answer(null, [{ address: '192.0.2.9', family: 4 }]);
  expect(await otherAddress).toBe('192.0.2.9');
  lookups[0]?.answer(null, [
    { address: '192.0.2.1', family: 4 },
    { address: '192.0.2.2', family: 4 },
  ]);
  expect(await Promise.all(addresses)).toEqual(['192.0.2.1', '192.0.2.1', '192.0.2.2']);
});

test('the next lookup after a failed lookup sends a new query', async () => {
  const lookups = stubLookup();
  const failedLookup = lookUp('silent.test');
  lookups[0]?.answer(new Error('EAI_AGAIN'), []);
  expect(await failedLookup).toBe('EAI_AGAIN');
  const nextLookup = lookUp('silent.test');
  lookups[1]?.answer(null, [{ address: '192.0.2.1', family: 4 }]);
  expect(await nextLookup).toBe('192.0.2.1');
});

test('a host that leads to a port of this installation is refused, and a name without addresses is not', async () => {
  expect(await findHostRefusal('localhost', 3000, OWN_PORTS)).toBe('own');
  expect(await findHostRefusal('localhost', 4000, OWN_PORTS)).toBeUndefined();
  expect(await findHostRefusal('127.0.0.1', 3002, OWN_PORTS)).toBe('own');
  expect(await findHostRefusal('name.invalid', 3000, OWN_PORTS)).toBeUndefined();
});
