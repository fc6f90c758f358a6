import { IdleEviction } from './idle-eviction';

let looks = 0;

/** A connection; a higher number has been idle for longer. */
class One {
  busy = false;
  idleSince: number;

  constructor(readonly number: number) {
    this.idleSince = -number;
  }

  get isIdle(): boolean {
    looks += 1;
    return !this.busy;
  }
}

function crowd(count: number, client = 'one') {
  const all = new Map(Array.from({ length: count }, (_, number) => [new One(number), client] as const));
  return { all, ones: [...all.keys()], idle: new IdleEviction(all) };
}
const numbers = (ones: One[]) => ones.map(({ number }) => number);

beforeEach(() => {
  looks = 0;
});

test('the longest idle connections of a client, or of all clients, are evicted first', () => {
  const { all, idle } = crowd(3);
  all.set(new One(10), 'other');
  expect(numbers(idle.take('one', 2))).toEqual([2, 1]);
  expect(numbers(idle.take('other', 2))).toEqual([10]);
  expect(numbers(idle.take(undefined, 9))).toEqual([10, 2, 1, 0]);
});

test('a thousand evictions need one scan', () => {
  const { all, idle } = crowd(20_000);
  for (let turn = 0; turn < 1_000; turn += 1) {
    const [one] = idle.take('one', 1);
    if (one) all.delete(one);
    all.set(new One(-turn), 'one');
  }
  expect(Math.min(...numbers([...all.keys()].slice(-1_001)))).toBe(-999);
  expect(all.size).toBe(20_000);
  expect(looks).toBe(21_000);
});

test('connections that were used, are busy or have closed since the scan are not evicted', () => {
  const { all, ones, idle } = crowd(6);
  const [, , used, busy, gone] = ones;
  expect(numbers(idle.take('one', 1))).toEqual([5]);
  if (used) used.idleSince = 1;
  if (busy) busy.busy = true;
  if (gone) all.delete(gone);
  expect(numbers(idle.take('one', 5))).toEqual([1, 0]);
});

test('without idle connections there is no second scan before forget', () => {
  const { ones, idle } = crowd(2);
  for (const one of ones) one.busy = true;
  expect([idle.take('one', 1), idle.take('one', 1), looks]).toEqual([[], [], 2]);
  for (const one of ones) one.busy = false;
  expect(idle.take('one', 1)).toEqual([]);
  idle.forget();
  expect(numbers(idle.take('one', 1))).toEqual([1]);
});

test('a sparse scan is not repeated for each new connection', () => {
  const { all, ones, idle } = crowd(20_000);
  for (const one of ones.slice(0, -3)) one.busy = true;
  const come = (count: number) => {
    let room = 0;
    for (let turn = 0; turn < count; turn += 1) {
      const [one] = idle.take('one', 1);
      if (!one) continue;
      room += 1;
      all.delete(one);
      all.set(new One(-turn), 'one');
    }
    return room;
  };
  expect([come(1_000), looks < 21_000]).toEqual([3, true]);
  idle.forget();
  expect(come(1_000)).toBe(3);
});
