import { IdleEviction } from './idle-eviction';

/** Reads of `isIdle`: one per connection and scan. */
let scanned = 0;

/** A connection. The higher its number, the longer it has been idle. */
class Connection {
  busy = false;
  idleSince: number;

  constructor(readonly number: number) {
    this.idleSince = -number;
  }

  get isIdle(): boolean {
    scanned += 1;
    return !this.busy;
  }
}

function createConnections(count: number, client = 'one') {
  const all = new Map(Array.from({ length: count }, (_, number) => [new Connection(number), client] as const));
  return { all, connections: [...all.keys()], idle: new IdleEviction(all) };
}
const numbers = (connections: Connection[]) => connections.map(({ number }) => number);

beforeEach(() => {
  scanned = 0;
});

test('the longest idle connections of a client, or of all clients, are evicted first', () => {
  const { all, idle } = createConnections(3);
  all.set(new Connection(10), 'other');
  expect(numbers(idle.take('one', 2))).toEqual([2, 1]);
  expect(numbers(idle.take('other', 2))).toEqual([10]);
  expect(numbers(idle.take(undefined, 9))).toEqual([10, 2, 1, 0]);
});

test('a thousand evictions need one scan', () => {
  const { all, idle } = createConnections(20_000);
  for (let turn = 0; turn < 1_000; turn += 1) {
    const [one] = idle.take('one', 1);
    if (one) all.delete(one);
    all.set(new Connection(-turn), 'one');
  }
  expect(Math.min(...numbers([...all.keys()].slice(-1_001)))).toBe(-999);
  expect(all.size).toBe(20_000);
  expect(scanned).toBe(21_000);
});

test('connections that were used, are busy or have closed since the scan are not evicted', () => {
  const { all, connections, idle } = createConnections(6);
  const [, , used, busy, gone] = connections;
  expect(numbers(idle.take('one', 1))).toEqual([5]);
  if (used) used.idleSince = 1;
  if (busy) busy.busy = true;
  if (gone) all.delete(gone);
  expect(numbers(idle.take('one', 5))).toEqual([1, 0]);
});

test('without idle connections there is no second scan before forget', () => {
  const { connections, idle } = createConnections(2);
  for (const one of connections) one.busy = true;
  expect([idle.take('one', 1), idle.take('one', 1), scanned]).toEqual([[], [], 2]);
  for (const one of connections) one.busy = false;
  expect(idle.take('one', 1)).toEqual([]);
  idle.forget();
  expect(numbers(idle.take('one', 1))).toEqual([1]);
});

test('a sparse scan is not repeated for each new connection', () => {
  const { all, connections, idle } = createConnections(20_000);
  for (const one of connections.slice(0, -3)) one.busy = true;
  const openMore = (count: number) => {
    let evicted = 0;
    for (let turn = 0; turn < count; turn += 1) {
      const [one] = idle.take('one', 1);
      if (!one) continue;
      evicted += 1;
      all.delete(one);
      all.set(new Connection(-turn), 'one');
    }
    return evicted;
  };
  expect([openMore(1_000), scanned < 21_000]).toEqual([3, true]);
  idle.forget();
  expect(openMore(1_000)).toBe(3);
});
