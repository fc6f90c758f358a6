import { IdleEviction } from './idle-eviction';

/** Number of reads of `isIdle`. A scan reads it once for each connection, and an eviction once more. */
let idleReadCount = 0;

/** A connection. A higher number stands for a longer idle time. */
class Connection {
  isBusy = false;
  idleSince: number;

  constructor(readonly number: number) {
    this.idleSince = -number;
  }

  get isIdle(): boolean {
    idleReadCount += 1;
    return !this.isBusy;
  }
}

function createConnections(count: number, client = 'one') {
  const connectionClients = new Map(
    Array.from({ length: count }, (_, number) => [new Connection(number), client] as const),
  );
  return {
    connectionClients,
    connections: [...connectionClients.keys()],
    eviction: new IdleEviction(connectionClients),
  };
}
const getNumbers = (connections: Connection[]) => connections.map(({ number }) => number);

beforeEach(() => {
  idleReadCount = 0;
});

test('the longest idle connections of a client, or of all clients, are evicted first', () => {
  const { connectionClients, eviction } = createConnections(3);
  connectionClients.set(new Connection(10), 'other');
  expect(getNumbers(eviction.take('one', 2))).toEqual([2, 1]);
  expect(getNumbers(eviction.take('other', 2))).toEqual([10]);
  expect(getNumbers(eviction.take(undefined, 9))).toEqual([10, 2, 1, 0]);
});

test('a thousand evictions need one scan', () => {
  const { connectionClients, eviction } = createConnections(20_000);
  for (let turn = 0; turn < 1_000; turn += 1) {
    const [evicted] = eviction.take('one', 1);
    if (evicted) connectionClients.delete(evicted);
    connectionClients.set(new Connection(-1 - turn), 'one');
  }
  // The new connections are all kept.
  expect(getNumbers([...connectionClients.keys()]).filter((number) => number < 0)).toHaveLength(1_000);
  expect(connectionClients.size).toBe(20_000);
  expect(idleReadCount).toBe(21_000);
});

test('connections that were used, are busy or have closed since the scan are not evicted', () => {
  const { connectionClients, connections, eviction } = createConnections(6);
  const [, , usedConnection, busyConnection, closedConnection] = connections;
  expect(getNumbers(eviction.take('one', 1))).toEqual([5]);
  if (usedConnection) usedConnection.idleSince = 1;
  if (busyConnection) busyConnection.isBusy = true;
  if (closedConnection) connectionClients.delete(closedConnection);
  expect(getNumbers(eviction.take('one', 5))).toEqual([1, 0]);
});

test('after a scan that found no idle connection, connections are scanned again only after a call of forget', () => {
  const { connections, eviction } = createConnections(2);
  for (const connection of connections) connection.isBusy = true;
  expect([eviction.take('one', 1), eviction.take('one', 1), idleReadCount]).toEqual([[], [], 2]);
  for (const connection of connections) connection.isBusy = false;
  expect(eviction.take('one', 1)).toEqual([]);
  eviction.forget();
  expect(getNumbers(eviction.take('one', 1))).toEqual([1]);
});

test('a scan that finds few idle connections is not repeated for each new connection', () => {
  const { connectionClients, connections, eviction } = createConnections(20_000);
  for (const connection of connections.slice(0, -3)) connection.isBusy = true;
  const openConnections = (count: number) => {
    let evictedCount = 0;
    for (let turn = 0; turn < count; turn += 1) {
      const [evictedConnection] = eviction.take('one', 1);
      if (!evictedConnection) continue;
      evictedCount += 1;
      connectionClients.delete(evictedConnection);
      connectionClients.set(new Connection(-1 - turn), 'one');
    }
    return evictedCount;
  };
  expect([openConnections(1_000), idleReadCount < 21_000]).toEqual([3, true]);
  eviction.forget();
  expect(openConnections(1_000)).toBe(3);
});
