import { Balance } from './balance';

/** Looks after all have told how much they have worked since the look before, s. */
function lookAfter(work: readonly number[]) {
  const balance = new Balance();
  for (const worker of work.keys()) balance.add(worker, 1);
  balance.look();
  for (const [worker, seconds] of work.entries()) balance.add(worker, 1 + seconds);
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
