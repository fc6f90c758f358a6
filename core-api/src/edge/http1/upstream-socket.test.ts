import dns from 'node:dns';
import { guardedLookup } from './upstream-socket';

type Lookup = Parameters<typeof dns.lookup>;
type Answer = (error: Error | null, addresses: { address: string; family: number }[]) => void;

afterEach(() => jest.restoreAllMocks());

/** A system that answers when the test says so. */
function standIn() {
  const asked: { name: string; answer: Answer }[] = [];
  jest.spyOn(dns, 'lookup').mockImplementation(((...[name, , answer]: [Lookup[0], unknown, Answer]) => {
    asked.push({ name, answer });
  }) as never);
  return asked;
}

const find = (name: string, mayConnect: (address: string) => boolean = () => true) =>
  new Promise((resolve) => {
    guardedLookup(mayConnect)(name, { family: 0, hints: 0 }, (error, address) => resolve(error?.message ?? address));
  });

test('a name that is being asked for is not asked for again, and each asker judges for itself', async () => {
  const asked = standIn();
  const found = [find('silent.test'), find('silent.test'), find('silent.test', (address) => address === '192.0.2.2')];
  const other = find('other.test');
  expect(asked.map(({ name }) => name)).toEqual(['silent.test', 'other.test']);
  asked[1]?.answer(null, [{ address: '192.0.2.9', family: 4 }]);
  expect(await other).toBe('192.0.2.9');
  asked[0]?.answer(null, [
    { address: '192.0.2.1', family: 4 },
    { address: '192.0.2.2', family: 4 },
  ]);
  expect(await Promise.all(found)).toEqual(['192.0.2.1', '192.0.2.1', '192.0.2.2']);
});

test('after its answer it is asked for anew, a failure likewise', async () => {
  const asked = standIn();
  const first = find('silent.test');
  asked[0]?.answer(new Error('EAI_AGAIN'), []);
  expect(await first).toBe('EAI_AGAIN');
  const second = find('silent.test');
  asked[1]?.answer(null, [{ address: '192.0.2.1', family: 4 }]);
  expect(await second).toBe('192.0.2.1');
});
