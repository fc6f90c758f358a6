import { Balance } from './balance';

/** Looks after all have told how much they have worked in the second since the look before, ms. */
function lookAfter(work: readonly number[]) {
  const balance = new Balance();
  for (const worker of work.keys()) balance.add(worker, 1, 0);
  balance.look();
  for (const [worker, ms] of work.entries()) if (ms > 0) balance.add(worker, 1 + ms / 1000, 1);
  return balance.look();
}

test('whoever works more than twice as much as another one has too much: what is above the mean', () => {
  expect(lookAfter([900, 100])).toEqual({ worker: 0, part: expect.closeTo(400 / 900) });
  expect(lookAfter([300, 100, 800])).toEqual({ worker: 2, part: expect.closeTo(400 / 800) });
});

test('those who work about as much as each other, and one alone, keep what they have', () => {
  expect(lookAfter([900, 500])).toBeUndefined();
  expect(lookAfter([900])).toBeUndefined();
});

test('whoever tells nothing is not idle', () => {
  expect(lookAfter([900, 800, 0])).toBeUndefined();
  expect(lookAfter([900, 0])).toBeUndefined();
});

test('how much one works is by the times at which it told it', () => {
  const balance = new Balance();
  balance.add(0, 1, 10);
  balance.add(1, 1, 10);
  balance.look();
  balance.add(0, 2, 11.2);
  balance.add(0, 3, 12.4);
  balance.add(1, 1.9, 11.1);
  expect(balance.look()).toBeUndefined();
});

test('one that has just stopped telling is not idle', () => {
  const balance = new Balance();
  balance.add(0, 1, 10);
  balance.add(1, 1, 10);
  balance.look();
  balance.add(0, 1.9, 11);
  balance.add(0, 2.8, 12);
  balance.add(1, 1.01, 10.3);
  expect(balance.look()).toBeUndefined();
});

/** Workers of which each tells twice a second, and a look every two seconds. */
function lookedAt(count = 2) {
  const balance = new Balance();
  const done: number[] = [];
  let at = 0;
  /** @param shares of a core; without one it is stopped. @returns who is to shed */
  const look = (...shares: (number | undefined)[]) => {
    for (let turn = 0; turn < 4; turn += 1) {
      at += 0.5;
      for (const [worker, share] of shares.entries()) {
        if (share === undefined) continue;
        done[worker] = (done[worker] ?? 0) + share / 2;
        balance.add(worker, done[worker], at);
      }
    }
    return balance.look()?.worker;
  };
  look(...Array.from({ length: count }, () => 0));
  return { balance, look };
}

test('one that was stopped and works again as before is not idle at its return', () => {
  const { look } = lookedAt();
  expect(look(0.9, 0.8)).toBeUndefined();
  for (let turn = 0; turn < 3; turn += 1) expect(look(0.9)).toBeUndefined();
  for (let turn = 0; turn < 3; turn += 1) expect(look(0.9, 0.8)).toBeUndefined();
  // What came meanwhile is at the other one.
  expect([look(0.9), look(0.9, 0.1), look(0.9, 0.1)]).toEqual([undefined, undefined, 0]);
});

test('one that is so busy that it tells late is not taken for stopped', () => {
  const balance = new Balance();
  for (const worker of [0, 1]) balance.add(worker, 0, 10);
  balance.look();
  balance.add(0, 1.9, 12);
  balance.add(1, 0.1, 11);
  balance.add(1, 0.2, 12);
  expect(balance.look()?.worker).toBe(0);
});

test('what does not help is done ever more seldom, whoever has the work after it', () => {
  const { look } = lookedAt();
  const looks: number[] = [];
  let busiest = 0;
  for (let turn = 0; turn < 200; turn += 1) {
    const found = busiest === 0 ? look(0.9, 0.1) : look(0.1, 0.8 + (turn % 3) / 10);
    if (found === undefined) continue;
    expect(found).toBe(busiest);
    looks.push(turn);
    busiest = 1 - busiest;
  }
  expect(looks).toEqual([0, 2, 6, 14, 30, 62, 126, 190]);
});

test('one whose work cannot be moved keeps no other one from giving up its own', () => {
  const { look } = lookedAt(3);
  const looks = Array.from({ length: 12 }, () => look(1, 0.9, 0));
  expect(looks.map((worker) => worker ?? '')).toEqual([0, 1, 0, 1, '', '', 0, 1, '', '', '', '']);
});

test('what helps is done again while there is too much', () => {
  const { look } = lookedAt();
  expect([look(0.9, 0), look(0.75, 0.15), look(0.6, 0.2), look(0.5, 0.4)]).toEqual([0, 0, 0, undefined]);
});

test('after a while without too much, and with other workers, it is tried again', () => {
  const { balance, look } = lookedAt();
  expect([look(0.9, 0), look(0.9, 0), look(0.5, 0.4), look(0.9, 0)]).toEqual([0, undefined, undefined, 0]);
  balance.remove(1);
  expect([look(0.9, 0), look(0.9, 0)]).toEqual([undefined, 0]);
});
