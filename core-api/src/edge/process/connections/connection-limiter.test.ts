import { ALL_CLIENTS, type ClientConnectionCount } from '../../engine/types';
import type { ToWorker } from '../../ipc/messages';
import { ConnectionLimiter } from './connection-limiter';

/** Connections of a worker, by client. */
type CountsByClient = Record<string, [open: number, idle: number]>;

/** Simulates workers with these open connections. `caps` receives the limiter's caps by worker. */
function simulateWorkers(perClient: number, ...connections: CountsByClient[]) {
  const queries = new Map<number, Extract<ToWorker, { type: 'count-clients' }>>();
  const caps = connections.map((): Record<string, number> => ({}));
  const limiter = new ConnectionLimiter({ total: 5_000, perClient }, (worker, message) => {
    if (message.type === 'count-clients') queries.set(worker, message);
    if (message.type === 'cap-clients') caps[worker] = Object.fromEntries(message.caps);
  });
  const reportConnections = (worker: number) => {
    const { round = 0, minConnections = 0, watched = [] } = queries.get(worker) ?? {};
    const counts = Object.entries(connections[worker] ?? {}).map(
      ([client, [open, idle]]): ClientConnectionCount => ({ client, open, idle }),
    );
    limiter.add(
      worker,
      round,
      counts.filter(({ client, open }) => open >= minConnections || watched.includes(client)),
    );
  };
  const countOpen = () =>
    connections.flatMap((counts) => Object.values(counts)).reduce((sum, [clientOpen]) => sum + clientOpen, 0);
  /** @param silentWorker the worker that sends no report */
  const runRound = (silentWorker?: number) => {
    limiter.startRound([...connections.keys()], countOpen());
    for (const worker of connections.keys()) if (worker !== silentWorker) reportConnections(worker);
  };
  return { limiter, connections, caps, queries, reportConnections, runRound };
}

test('a client at its limit keeps its connections', () => {
  const { caps, runRound } = simulateWorkers(512, { a: [450, 450], b: [500, 500] }, { a: [62, 62] });
  runRound();
  runRound();
  expect(caps).toEqual([{ a: 450 }, { a: 62 }]);
});

test('idle excess connections are closed before busy connections', () => {
  const { caps, runRound } = simulateWorkers(
    512,
    { a: [400, 0], b: [401, 401], c: [600, 0] },
    { a: [300, 290], b: [300, 299] },
  );
  runRound();
  expect(caps).toEqual([{}, {}]);
  runRound();
  const [firstCaps = {}, secondCaps = {}] = caps;
  expect([firstCaps.a, secondCaps.a, firstCaps.c, secondCaps.c]).toEqual([400, 112, 512, 0]);
  expect((firstCaps.b ?? 0) + (secondCaps.b ?? 0)).toBe(512);
});

test('the limit of all clients together applies from the first round on', () => {
  const { connections, caps, runRound } = simulateWorkers(
    512,
    { [ALL_CLIENTS]: [4_000, 3_000] },
    { [ALL_CLIENTS]: [1_500, 500] },
  );
  runRound();
  expect((caps[0]?.[ALL_CLIENTS] ?? 0) + (caps[1]?.[ALL_CLIENTS] ?? 0)).toBe(5_000);
  expect(caps[0]?.[ALL_CLIENTS]).toBeLessThan(4_000);
  connections.splice(0, 2, { [ALL_CLIENTS]: [1_000, 1_000] }, { [ALL_CLIENTS]: [1_400, 500] });
  runRound();
  expect(caps).toEqual([{}, {}]);
});

test('the limit of a client includes the few connections that it has at another worker', () => {
  const { caps, runRound } = simulateWorkers(512, { a: [500, 500] }, { a: [30, 30] });
  runRound();
  runRound();
  expect((caps[0]?.a ?? 0) + (caps[1]?.a ?? 0)).toBe(512);
});

test('a client that moves between two workers loses no connection', () => {
  const { connections, caps, runRound } = simulateWorkers(512, { a: [400, 400] }, { a: [400, 400] });
  runRound();
  connections[0] = {};
  runRound();
  expect(caps).toEqual([{}, {}]);
});

test('a client over its limit stays capped until it uses less than half of its limit', () => {
  const { connections, caps, runRound } = simulateWorkers(512, { a: [300, 300] }, { a: [300, 300] });
  runRound();
  runRound();
  expect(caps).toEqual([{ a: 256 }, { a: 256 }]);
  connections.splice(0, 2, { a: [256, 256] }, { a: [225, 225] });
  runRound();
  expect(caps).toEqual([{ a: 287 }, { a: 256 }]);
  connections.splice(0, 2, { a: [240, 240] }, {});
  runRound();
  expect(caps).toEqual([{}, {}]);
});

test('the connections of a worker without a report are not counted, and its late report is ignored', () => {
  const { limiter, connections, caps, queries, runRound } = simulateWorkers(512, { a: [400, 400] }, { a: [400, 400] });
  for (let turn = 0; turn < 3; turn += 1) runRound(1);
  limiter.add(1, (queries.get(1)?.round ?? 0) - 1, [{ client: 'a', open: 400, idle: 400 }]);
  limiter.startRound([...connections.keys()], 800);
  expect(caps).toEqual([{}, {}]);
  for (let turn = 0; turn < 3; turn += 1) runRound();
  expect(caps).toEqual([{ a: 256 }, { a: 256 }]);
});

test('workers are not queried while all clients together have fewer connections than half a client’s limit', () => {
  const { queries, connections, runRound } = simulateWorkers(512, { a: [255, 0] });
  runRound();
  expect(queries.size).toBe(0);
  connections.splice(0, 1, { a: [256, 0] });
  runRound();
  expect(queries.size).toBe(1);
});

test('a round ends when the last worker without a report exits', () => {
  const { limiter, caps, reportConnections, runRound } = simulateWorkers(512, { a: [600, 600] }, { a: [100, 100] });
  runRound();
  limiter.startRound([0, 1], 700);
  reportConnections(0);
  limiter.remove(1);
  expect(caps).toEqual([{ a: 512 }, {}]);
});

test('a worker that exits after its report gets no limit, and causes no further rounds', () => {
  const { limiter, connections, caps, queries, reportConnections, runRound } = simulateWorkers(
    512,
    { a: [600, 600] },
    { a: [100, 100] },
  );
  runRound();
  limiter.startRound([0, 1], 700);
  reportConnections(1);
  limiter.remove(1);
  reportConnections(0);
  expect(caps).toEqual([{ a: 512 }, {}]);
  connections.splice(0, 2, {});
  runRound();
  queries.clear();
  runRound();
  expect(queries.size).toBe(0);
});
