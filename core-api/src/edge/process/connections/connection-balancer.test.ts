import { ConnectionBalancer } from './connection-balancer';

/** Runs a round after one second. @param work processor time of each worker in that second, ms; 0: no new sample */
function endRoundAfter(work: readonly number[]) {
  const balancer = new ConnectionBalancer();
  for (const worker of work.keys()) balancer.add(worker, 1, 0);
  balancer.endRound();
  for (const [worker, ms] of work.entries()) if (ms > 0) balancer.add(worker, 1 + ms / 1000, 1);
  return balancer.endRound();
}

test('a worker with more than twice the load of another worker sheds its excess over the mean', () => {
  expect(endRoundAfter([900, 100])).toEqual({ worker: 0, share: expect.closeTo(400 / 900) });
  expect(endRoundAfter([300, 100, 800])).toEqual({ worker: 2, share: expect.closeTo(400 / 800) });
});

test('balanced workers and a single worker shed nothing', () => {
  expect(endRoundAfter([900, 500])).toBeUndefined();
  expect(endRoundAfter([900])).toBeUndefined();
});

test('a worker without a new sample does not count as idle', () => {
  expect(endRoundAfter([900, 800, 0])).toBeUndefined();
  expect(endRoundAfter([900, 0])).toBeUndefined();
});

test('the load of a worker is measured between the times of its samples', () => {
  const balancer = new ConnectionBalancer();
  balancer.add(0, 1, 10);
  balancer.add(1, 1, 10);
  balancer.endRound();
  balancer.add(0, 2, 11.2);
  balancer.add(0, 3, 12.4);
  balancer.add(1, 1.9, 11.1);
  expect(balancer.endRound()).toBeUndefined();
});

test('a worker whose latest sample is old does not count as idle', () => {
  const balancer = new ConnectionBalancer();
  balancer.add(0, 1, 10);
  balancer.add(1, 1, 10);
  balancer.endRound();
  balancer.add(0, 1.9, 11);
  balancer.add(0, 2.8, 12);
  balancer.add(1, 1.01, 10.3);
  expect(balancer.endRound()).toBeUndefined();
});

/** Simulates workers that report twice a second, with a round every two seconds. */
function simulate(workerCount = 2) {
  const balancer = new ConnectionBalancer();
  const cpuSeconds: number[] = [];
  let time = 0;
  /** Returns the worker that must shed. @param shares each worker's share of a CPU, undefined for a suspended worker */
  const runRound = (...shares: (number | undefined)[]) => {
    for (let turn = 0; turn < 4; turn += 1) {
      time += 0.5;
      for (const [worker, share] of shares.entries()) {
        if (share === undefined) continue;
        cpuSeconds[worker] = (cpuSeconds[worker] ?? 0) + share / 2;
        balancer.add(worker, cpuSeconds[worker], time);
      }
    }
    return balancer.endRound()?.worker;
  };
  runRound(...Array.from({ length: workerCount }, () => 0));
  return { balancer, runRound };
}

test('a suspended worker does not count as idle when it continues', () => {
  const { runRound } = simulate();
  expect(runRound(0.9, 0.8)).toBeUndefined();
  for (let turn = 0; turn < 3; turn += 1) expect(runRound(0.9)).toBeUndefined();
  for (let turn = 0; turn < 3; turn += 1) expect(runRound(0.9, 0.8)).toBeUndefined();
  // While worker 1 is suspended again, new connections go to worker 0, so worker 1 is idle after it continues.
  expect([runRound(0.9), runRound(0.9, 0.1), runRound(0.9, 0.1)]).toEqual([undefined, undefined, 0]);
});

test('a worker that reports late because it is busy does not count as suspended', () => {
  const balancer = new ConnectionBalancer();
  for (const worker of [0, 1]) balancer.add(worker, 0, 10);
  balancer.endRound();
  balancer.add(0, 1.9, 12);
  balancer.add(1, 0.1, 11);
  balancer.add(1, 0.2, 12);
  expect(balancer.endRound()?.worker).toBe(0);
});

test('shedding that has no effect is repeated after growing pauses', () => {
  const { runRound } = simulate();
  const rounds: number[] = [];
  let busiest = 0;
  for (let turn = 0; turn < 200; turn += 1) {
    // Each order moves the load to the other worker. The load varies, but too little to look like an improvement.
    const overload = busiest === 0 ? runRound(0.9, 0.1) : runRound(0.1, 0.8 + (turn % 3) / 10);
    if (overload === undefined) continue;
    expect(overload).toBe(busiest);
    rounds.push(turn);
    busiest = 1 - busiest;
  }
  expect(rounds).toEqual([0, 2, 6, 14, 30, 62, 126, 190]);
});

test('a worker whose load cannot be moved does not keep other workers from shedding', () => {
  const { runRound } = simulate(3);
  const sheddingWorkers = Array.from({ length: 12 }, () => runRound(1, 0.9, 0));
  expect(sheddingWorkers.map((worker) => worker ?? '')).toEqual([0, 1, 0, 1, '', '', 0, 1, '', '', '', '']);
});

test('shedding that has an effect is repeated while there is excess', () => {
  const { runRound } = simulate();
  expect([runRound(0.9, 0), runRound(0.75, 0.15), runRound(0.6, 0.2), runRound(0.5, 0.4)]).toEqual([
    0,
    0,
    0,
    undefined,
  ]);
});

test('shedding is tried again after the load was balanced, and after a worker was replaced', () => {
  const { balancer, runRound } = simulate();
  expect([runRound(0.9, 0), runRound(0.9, 0), runRound(0.5, 0.4), runRound(0.9, 0)]).toEqual([
    0,
    undefined,
    undefined,
    0,
  ]);
  balancer.remove(1);
  expect([runRound(0.9, 0), runRound(0.9, 0)]).toEqual([undefined, 0]);
});
