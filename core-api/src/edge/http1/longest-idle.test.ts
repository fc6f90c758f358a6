import { LongestIdle } from './longest-idle';

let looks = 0;

/** The higher its number the longer it has been idle. */
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
  return { all, ones: [...all.keys()], idle: new LongestIdle(all) };
}
const numbers = (ones: One[]) => ones.map(({ number }) => number);

beforeEach(() => {
  looks = 0;
});

test('those of a client, and those of all, the longest idle first', () => {
  const { all, idle } = crowd(3);
  all.set(new One(10), 'other');
  expect(numbers(idle.take('one', 2))).toEqual([2, 1]);
  expect(numbers(idle.take('other', 2))).toEqual([10]);
  expect(numbers(idle.take(undefined, 9))).toEqual([10, 2, 1, 0]);
});

test('who comes a thousand times has all looked at once', () => {
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

test('whoever was used, is busy or has gone since the look is not taken', () => {
  const { all, ones, idle } = crowd(6);
  const [, , used, busy, gone] = ones;
  expect(numbers(idle.take('one', 1))).toEqual([5]);
  if (used) used.idleSince = 1;
  if (busy) busy.busy = true;
  if (gone) all.delete(gone);
  expect(numbers(idle.take('one', 5))).toEqual([1, 0]);
});

test('where none is idle nobody looks again before it is forgotten', () => {
  const { ones, idle } = crowd(2);
  for (const one of ones) one.busy = true;
  expect([idle.take('one', 1), idle.take('one', 1), looks]).toEqual([[], [], 2]);
  for (const one of ones) one.busy = false;
  expect(idle.take('one', 1)).toEqual([]);
  idle.forget();
  expect(numbers(idle.take('one', 1))).toEqual([1]);
});

test('where few are idle newcomers do not have all the others looked through for each of them', () => {
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
