/**
 * Measures health checks. For an idle installation with 1,000 targets, it measures the processor time of all processes
 * and the bytes that they write in a day. For 10,000 targets, of which a tenth hangs, it measures the time between two
 * checks of a target and the delay of other responses.
 *
 * Options: `--idle 1000 --minutes 2 --speed 1 --targets 10000`. With `--speed 12 --minutes 72` the clocks of the
 * processes run 12 times as fast, and the figures include the hourly writes. `--idle 0` or `--targets 0` skips a part.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { fastClock, findFreePort, Stack } from '../testing/harness.mjs';
import { finish, ok } from './support/results.mjs';

const { values: options } = parseArgs({
  options: {
    idle: { type: 'string', default: '1000' },
    minutes: { type: 'string', default: '2' },
    speed: { type: 'string', default: '1' },
    targets: { type: 'string', default: '10000' },
  },
});
const INTERVAL_S = 60;
const TOLERANCE_S = 15;
const DAY_S = 86_400;
const TICKS_PER_SECOND = 100; // /proc counts processor time in ticks of 10 ms.
/** Share of the targets that never answer. */
const HANGING_SHARE = 0.1;

/** Returns the loopback address of a target. One server listens on all these addresses. */
const toAddress = (index) => `127.1.${Math.floor(index / 250)}.${(index % 250) + 1}`;

async function startTargets(isHanging) {
  const port = await findFreePort();
  const lastCheckByAddress = new Map();
  let longestMs = 0;
  let checkCount = 0;
  const server = createServer((request, response) => {
    const address = request.socket.localAddress ?? '';
    const isHung = isHanging(address);
    // Each check of a hanging target sends HEAD and GET, so only GET is counted.
    if (!isHung || request.method === 'GET') {
      const lastCheckAt = lastCheckByAddress.get(address);
      if (lastCheckAt !== undefined) longestMs = Math.max(longestMs, performance.now() - lastCheckAt);
      lastCheckByAddress.set(address, performance.now());
      checkCount += 1;
    }
    if (!isHung) response.end();
  });
  await new Promise((resolve) => server.listen(port, '0.0.0.0', 4_096, () => resolve(undefined)));
  return {
    port,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
    countTargets: () => lastCheckByAddress.size,
    resetMeasurement: () => {
      longestMs = 0;
      checkCount = 0;
    },
    /** Returns the longest time between two checks of a target, or since its last check. */
    measureLongestMs: () =>
      Math.max(longestMs, ...[...lastCheckByAddress.values()].map((at) => performance.now() - at)),
    countChecks: () => checkCount,
  };
}

/** @param {number} count @param {number} port @param {import('../testing/stack.js').StackOptions} [stackOptions] */
async function startWithSubdomains(count, port, stackOptions = {}) {
  const { processes = ['core'], environment = {} } = stackOptions;
  const stack = await Stack.start({
    processes,
    environment: { HEALTH_INTERVAL_S: String(INTERVAL_S), ...environment },
  });
  let nextIndex = 0;
  const createInTurn = async () => {
    while (nextIndex < count) {
      const index = nextIndex;
      nextIndex += 1;
      await stack.create('/subdomains', {
        subdomain: `alvo-${index}`,
        description: 'x',
        type: 'tunnel',
        targetHost: toAddress(index),
        targetPort: port,
      });
    }
  };
  await stack.logIn();
  await Promise.all(Array.from({ length: 2 }, createInTurn));
  return stack;
}

/** Reads the processor time in seconds of a process and its children, and the bytes that they wrote to disk. */
function readUsage(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const writtenBytes = /^write_bytes: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1];
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  return children
    .map(readUsage)
    .reduce((sum, child) => ({ cpuS: sum.cpuS + child.cpuS, writtenBytes: sum.writtenBytes + child.writtenBytes }), {
      cpuS: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND,
      writtenBytes: Number(writtenBytes),
    });
}

if (Number(options.idle) > 0) {
  const targets = await startTargets(() => false);
  const speed = Number(options.speed);
  const processes = /** @type {const} */ (['core', 'bff', 'edge']);
  const stack = await startWithSubdomains(Number(options.idle), targets.port, {
    processes,
    environment: fastClock(speed),
  });
  const readUsages = () => processes.map((name) => readUsage(stack.process(name).pid));
  // The first checks of all targets write more than later ones.
  await sleep((2 * INTERVAL_S * 1000) / speed);
  targets.resetMeasurement();
  const usageBefore = readUsages();
  const startedAt = performance.now();
  await sleep((Number(options.minutes) * 60_000) / speed);
  const seconds = ((performance.now() - startedAt) / 1000) * speed;
  const usageByProcess = readUsages().map(({ cpuS, writtenBytes }, index) => ({
    percent: ((cpuS - (usageBefore[index]?.cpuS ?? 0)) / seconds) * 100,
    megabytesADay: (((writtenBytes - (usageBefore[index]?.writtenBytes ?? 0)) / seconds) * DAY_S) / 1e6,
  }));
  process.stdout.write(`${targets.countChecks()} checks of ${options.idle} targets within ${Math.round(seconds)} s\n`);
  for (const [index, { percent, megabytesADay }] of usageByProcess.entries())
    process.stdout.write(`${processes[index]}: ${percent.toFixed(2)} %, ${megabytesADay.toFixed(1)} MB a day\n`);
  const percent = usageByProcess.reduce((sum, usage) => sum + usage.percent, 0);
  const megabytesADay = usageByProcess.reduce((sum, usage) => sum + usage.megabytesADay, 0);
  ok(percent < 2, 'all processes take less than 2 % of a core', `${percent.toFixed(2)} %`);
  ok(megabytesADay < 50, 'less than 50 MB a day are written, extrapolated', `${megabytesADay.toFixed(1)} MB`);
  await stack.stop();
  targets.stop();
}

if (Number(options.targets) > 0) {
  const count = Number(options.targets);
  const hanging = new Set(
    Array.from({ length: count * HANGING_SHARE }, (_, index) => toAddress(index * (1 / HANGING_SHARE))),
  );
  const targets = await startTargets((address) => hanging.has(address));
  const stack = await startWithSubdomains(count, targets.port);
  const token = await stack.logIn();
  // Within this time the core marks the hanging targets as failing.
  await sleep(4 * INTERVAL_S * 1000);
  targets.resetMeasurement();
  const delays = [];
  const endsAt = performance.now() + 3 * INTERVAL_S * 1000;
  while (performance.now() < endsAt) {
    const startedAt = performance.now();
    await fetch(`${stack.coreUrl}/api/projects`, { headers: { Authorization: `Bearer ${token}` } });
    delays.push(performance.now() - startedAt);
    await sleep(50);
  }
  delays.sort((a, b) => a - b);
  const p99 = delays[Math.floor(delays.length * 0.99)] ?? Number.POSITIVE_INFINITY;
  process.stdout.write(
    `${targets.countChecks()} checks of ${targets.countTargets()} targets within ${3 * INTERVAL_S} s\n`,
  );
  const longestS = targets.measureLongestMs() / 1000;
  ok(targets.countTargets() === count, 'each target is checked', String(targets.countTargets()));
  ok(
    longestS <= INTERVAL_S + TOLERANCE_S,
    'no target waits longer than 75 s for its next check',
    `${longestS.toFixed(1)} s`,
  );
  ok(p99 < 50, `the 99th percentile of ${delays.length} answers is below 50 ms`, `${p99.toFixed(1)} ms`);
  await stack.stop();
  targets.stop();
}
finish();
