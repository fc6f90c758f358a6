import { Balance } from './balance';

/** Looks after all have told how much they have worked since the look before, s. */
function lookAfter(work: readonly number[]) {
  const balance = new Balance();
  for (const worker of work.keys()) balance.add(worker, 1, 0);
  balance.look();
  for (const [worker, seconds] of work.entries()) if (seconds > 0) balance.add(worker, 1 + seconds, 1000);
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
  balance.add(0, 3, 12.4);
  balance.add(1, 1.9, 11.1);
  expect(balance.look()).toBeUndefined();
});

test('one that has just stopped telling is not idle', () => {
  const balance = new Balance();
  balance.add(0, 1, 10);
  balance.add(1, 1, 10);
  balance.look();
  balance.add(0, 2.8, 12);
  balance.add(1, 1.01, 10.3);
  expect(balance.look()).toBeUndefined();
});
