import {
  applyProbe,
  createInitialState,
  getConfirmedUntil,
  hasContradiction,
  type TrackedState,
} from './target-tracker';

const START = 1_000_000;
/** Tracks one probe per second from `START` on: `u` up, `d` down, `?` unknown. */
const trackProbes = (probes: string, from: TrackedState = createInitialState(START)) =>
  [...probes].reduce(
    (state, probe, second) =>
      applyProbe(state, {
        isUp: probe === '?' ? undefined : probe === 'u',
        at: START + second * 1000,
        reason: probe === 'd' ? 'down' : null,
      }),
    from,
  );

test.each([
  ['u', 'up'],
  ['d', 'unknown'],
  ['dd', 'unknown'],
  ['ddd', 'down'],
  ['uddu', 'up'],
  ['uddudd', 'up'],
  ['uddd', 'down'],
  ['udddu', 'down'],
  ['uddduu', 'up'],
  ['udddudu', 'down'],
  ['uddd?', 'unknown'],
])('after the probes %s, the confirmed state of a target is %s', (probes, confirmed) =>
  expect(trackProbes(probes).confirmed).toBe(confirmed),
);

test('an outage begins with its first failure and ends with the first of the successes that confirm its end', () => {
  expect(trackProbes('uuddd').since).toBe(START + 2000);
  expect(trackProbes('udddduu').since).toBe(START + 5000);
});

test('the confirmed time of a state ends at a contradicting probe, unless the next probe agrees with the state again', () => {
  const contradictedState = trackProbes('uud');
  expect([hasContradiction(contradictedState), getConfirmedUntil(contradictedState, START + 9000)]).toEqual([
    true,
    START + 2000,
  ]);
  const settledState = trackProbes('uudu');
  expect([hasContradiction(settledState), getConfirmedUntil(settledState, START + 9000)]).toEqual([
    false,
    START + 9000,
  ]);
});
