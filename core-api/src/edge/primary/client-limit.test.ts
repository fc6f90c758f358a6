import { type ClientUse, EVERYBODY } from '../http1/types';
import type { ToWorker } from '../messages';
import { ClientLimit } from './client-limit';

type Uses = Record<string, [open: number, idle: number]>;

/** Workers of which each has what the test says, and keeps to what it is told. */
function workersWith(most: number, ...had: Uses[]) {
  const asked = new Map<number, Extract<ToWorker, { type: 'count-clients' }>>();
  const caps = had.map((): Record<string, number> => ({}));
  const limit = new ClientLimit({ all: 5_000, each: most }, (worker, message) => {
    if (message.type === 'count-clients') asked.set(worker, message);
    if (message.type === 'cap-clients') caps[worker] = Object.fromEntries(message.caps);
  });
  const answer = (worker: number) => {
    const { round = 0, least = 0, also = [] } = asked.get(worker) ?? {};
    const uses = Object.entries(had[worker] ?? {}).map(([client, [open, idle]]): ClientUse => ({ client, open, idle }));
    limit.add(
      worker,
      round,
      uses.filter(({ client, open }) => open >= least || also.includes(client)),
    );
  };
  /** @param silent does not answer */
  const round = (silent?: number) => {
    limit.ask([...had.keys()]);
    for (const worker of had.keys()) if (worker !== silent) answer(worker);
  };
  return { limit, had, caps, asked, answer, round };
}

test('a client at the limit closes nothing, and what each has is what it keeps', () => {
  const { caps, round } = workersWith(512, { a: [450, 450], b: [500, 500] }, { a: [62, 62] });
  round();
  round();
  expect(caps).toEqual([{ a: 450 }, { a: 62 }]);
});

test('what is too much goes where it is idle, to the last one', () => {
  const { caps, round } = workersWith(
    512,
    { a: [400, 0], b: [401, 401], c: [600, 0] },
    { a: [300, 290], b: [300, 299] },
  );
  round();
  expect(caps).toEqual([{}, {}]);
  round();
  const [first = {}, second = {}] = caps;
  expect([first.a, second.a, first.c, second.c]).toEqual([400, 112, 600, 0]);
  expect((first.b ?? 0) + (second.b ?? 0)).toBe(512);
});

test('all clients together have a limit too, from the first round on', () => {
  const { had, caps, round } = workersWith(512, { [EVERYBODY]: [4_000, 3_000] }, { [EVERYBODY]: [1_500, 500] });
  round();
  expect((caps[0]?.[EVERYBODY] ?? 0) + (caps[1]?.[EVERYBODY] ?? 0)).toBe(5_000);
  expect(caps[0]?.[EVERYBODY]).toBeLessThan(4_000);
  had.splice(0, 2, { [EVERYBODY]: [1_000, 1_000] }, { [EVERYBODY]: [1_400, 500] });
  round();
  expect(caps).toEqual([{}, {}]);
});

test('a worker that has few is counted too', () => {
  const { caps, round } = workersWith(512, { a: [500, 500] }, { a: [30, 30] });
  round();
  round();
  expect((caps[0]?.a ?? 0) + (caps[1]?.a ?? 0)).toBe(512);
});

test('a client that left one worker for another between two answers loses nothing', () => {
  const { had, caps, round } = workersWith(512, { a: [400, 400] }, { a: [400, 400] });
  round();
  had[0] = {};
  round();
  expect(caps).toEqual([{}, {}]);
});

test('a client that had too many gets what is left of the limit, until it has less than half of it', () => {
  const { had, caps, round } = workersWith(512, { a: [300, 300] }, { a: [300, 300] });
  round();
  round();
  expect(caps).toEqual([{ a: 256 }, { a: 256 }]);
  had.splice(0, 2, { a: [256, 256] }, { a: [225, 255] });
  round();
  expect(caps).toEqual([{ a: 287 }, { a: 256 }]);
  had.splice(0, 2, { a: [240, 240] }, {});
  round();
  expect(caps).toEqual([{}, {}]);
});

test('who does not answer has no part in it, and its late answer none in another round', () => {
  const { limit, had, caps, asked, round } = workersWith(512, { a: [400, 400] }, { a: [400, 400] });
  for (let turn = 0; turn < 3; turn += 1) round(1);
  limit.add(1, (asked.get(1)?.round ?? 0) - 1, [{ client: 'a', open: 400, idle: 400 }]);
  limit.ask([...had.keys()]);
  expect(caps).toEqual([{}, {}]);
  for (let turn = 0; turn < 3; turn += 1) round();
  expect(caps).toEqual([{ a: 256 }, { a: 256 }]);
});
