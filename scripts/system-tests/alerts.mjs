/**
 * Checks the alerts about 200 targets in an hour: targets that are slow, fail once, are deployed, flap, are muted, or
 * go down alone or together. Every message must have the right reason. The clock of the core runs six times as fast, so
 * the test takes 12 minutes; `--speed 1` takes more than an hour. Options: `--speed 6`.
 */
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { fastClock, findFreePort, getFastTime, getPort, Stack, waitFor } from '../testing/harness.mjs';
import { finish, ok } from './support/results.mjs';

const { values: options } = parseArgs({ options: { speed: { type: 'string', default: '6' } } });
const speed = Number(options.speed);
const MINUTE_MS = 60_000;
/** Tolerance on the core's clock. A check may have begun just before its target stopped. */
const SLACK_MS = 5_000;
/** Longest time on the core's clock between the restart of a target and the end of its outage in an alert. */
const MAX_RECOVERY_MS = 90_000;
/** Number of targets of each kind. A `steady` target is never down. */
const COUNTS = { steady: 85, slow: 20, hiccup: 20, deploy: 20, outage: 10, flap: 5, mute: 10, mass: 30 };

const clock = fastClock(speed);
const now = () => getFastTime(clock);

/** A web server that can be stopped and started again on its port. */
class Target {
  /** Start and end of each outage on the core's clock. @type {[number, number][]} */
  outages = [];
  checkCount = 0;
  /** Number of the next requests that get no response. A check sends HEAD and then GET. */
  refusalsLeft = 0;
  port = 0;
  server = createServer((request, response) => this.answer(request, response));

  constructor(kind, index) {
    this.kind = kind;
    this.name = `${kind}-${index}`;
  }

  async start() {
    this.port ||= await findFreePort();
    await new Promise((resolve) => this.server.listen(this.port, '127.0.0.1', () => resolve(undefined)));
    const lastOutage = this.outages.at(-1);
    if (lastOutage) lastOutage[1] = now();
  }

  async stop() {
    this.outages.push([now(), Number.POSITIVE_INFINITY]);
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }

  answer(request, response) {
    if (this.kind === 'hiccup' && request.method === 'HEAD' && this.refusalsLeft === 0) {
      this.checkCount += 1;
      if (this.checkCount % 5 === 0) this.refusalsLeft = 2;
    }
    // A slow target takes half of the time limit of a check.
    if (this.kind === 'slow') setTimeout(() => response.end(), 1_500);
    else if (this.refusalsLeft > 0) {
      this.refusalsLeft -= 1;
      request.socket.destroy();
    } else response.end();
  }

  wasDownAt(at) {
    return this.outages.some(([from, end]) => at >= from - SLACK_MS && at <= end + SLACK_MS);
  }
}

const targets = Object.entries(COUNTS).flatMap(([kind, count]) =>
  Array.from({ length: count }, (_, index) => new Target(kind, index)),
);
const listTargets = (kind) => targets.filter((target) => target.kind === kind);
const byName = new Map(targets.map((target) => [target.name, target]));

const messages = [];
const receiver = createServer((request, response) => {
  let text = '';
  request.on('data', (chunk) => {
    text += chunk;
  });
  request.on('end', () => {
    messages.push({ at: now(), id: request.headers['webhook-id'], ...JSON.parse(text) });
    response.writeHead(204).end();
  });
});
await new Promise((resolve) => receiver.listen(0, '127.0.0.1', () => resolve(undefined)));

const stack = await Stack.start({ processes: ['core'], environment: { ...clock, HEALTH_INTERVAL_S: '60' } });
for (const target of targets) {
  await target.start();
  await stack.create('/subdomains', {
    subdomain: target.name,
    description: target.kind,
    type: 'proxy',
    port: target.port,
  });
}
await stack.create('/alert-channels', {
  name: 'Gancho',
  type: 'webhook',
  url: `http://127.0.0.1:${getPort(receiver)}`,
});
for (const { name } of listTargets('mute'))
  await stack.create('/mutes', {
    kind: 'target_down',
    subject: { type: 'subdomain', id: name },
    until: new Date(now() + 24 * 60 * MINUTE_MS).toISOString(),
    reason: 'Ensaio',
  });
/** Whether the core has counted seconds in which the target was up. @param {{ name: string }} target */
const hasUptime = async ({ name }) => {
  const path = `/uptime?subdomain=${name}&days=1`;
  const { percent } = /** @type {{ percent: number | null }} */ (await stack.request('GET', path));
  return percent > 0;
};
// Seconds of uptime are written every few minutes of the core's clock.
for (const target of targets) await waitFor(`${target.name} to be up`, () => hasUptime(target), (10 * 60) / speed);

const startedAt = now();
const waitForMinute = async (minute) => {
  const leftMs = startedAt + minute * MINUTE_MS - now();
  if (leftMs > 0) await sleep(leftMs / speed);
};
/** Stops a target for some seconds of the core's clock, from a minute of the test on. */
async function interrupt(target, minute, seconds) {
  await waitForMinute(minute);
  await target.stop();
  await waitForMinute(minute + seconds / 60);
  await target.start();
}
const deploys = listTargets('deploy').map(async (target, index) => {
  // Twelve seconds are two failed checks; the third one confirms an outage.
  for (let minute = 2 + index / 4; minute < 60; minute += 7) await interrupt(target, minute, 12);
});
const flaps = listTargets('flap').map(async (target, index) => {
  for (let minute = 6 + index; minute < 40; minute += 6) await interrupt(target, minute, 180);
});
const outages = listTargets('outage').map((target, index) => interrupt(target, 5 + 4 * index, 300));
const mutedOutages = listTargets('mute').map((target) => interrupt(target, 10, 300));
const massOutage = listTargets('mass').map((target) => interrupt(target, 48, 300));
await Promise.all([...deploys, ...flaps, ...outages, ...mutedOutages, ...massOutage]);
await waitForMinute(66);

const reported = new Set();
/** Compares an entry of a message with the outages. @returns the outage as `right`, or the mistake as `wrong` */
function judgeEntry({ event, subject, since, until: end }) {
  const target = byName.get(subject.name);
  if (!target || !['outage', 'mass', 'flap'].includes(target.kind)) return { wrong: 'no outage was made' };
  if (!target.wasDownAt(Date.parse(since))) return { wrong: `it was up at ${since}` };
  if (
    end &&
    target.wasDownAt(Date.parse(end)) &&
    !target.outages.some(([, up]) => Math.abs(up - Date.parse(end)) < MAX_RECOVERY_MS)
  )
    return { wrong: `it was down at ${end}` };
  const key = `${subject.name} ${since} ${event}`;
  if (reported.has(key)) return { wrong: 'it was reported twice' };
  reported.add(key);
  return {
    event,
    right: `${target.kind}, down since ${since.slice(11, 19)}${end ? ` until ${end.slice(11, 19)}` : ''}`,
  };
}
let wrongCount = 0;
for (const { at, type, data } of messages) {
  const entries = data.alerts ?? [{ event: type.replace('alert.', ''), ...data }];
  const judgements = entries.map((entry) => ({ entry, ...judgeEntry(entry) }));
  wrongCount += judgements.filter(({ wrong }) => wrong).length;
  const minutes = ((at - startedAt) / MINUTE_MS).toFixed(1).padStart(5);
  process.stdout.write(`${minutes} ${type}, ${entries.length}\n`);
  for (const { entry, right, wrong: mistake } of judgements)
    process.stdout.write(`        ${entry.event} ${entry.subject.name}: ${mistake ? `WRONG, ${mistake}` : right}\n`);
}
const countReports = (name, event) =>
  [...reported].filter((key) => key.startsWith(`${name} `) && key.endsWith(event)).length;
const countReportedOnce = (kind, event) =>
  listTargets(kind).filter(({ name }) => countReports(name, event) === 1).length;
ok(wrongCount === 0, 'no entry of a message is wrong', `${wrongCount} in ${messages.length} messages`);
ok(new Set(messages.map(({ id }) => id)).size === messages.length, 'no message is sent twice');
for (const kind of ['outage', 'mass'])
  ok(
    countReportedOnce(kind, 'resolved') === COUNTS[kind],
    `the end of each outage (${kind}) is reported once`,
    String(countReportedOnce(kind, 'resolved')),
  );
ok(
  countReportedOnce('flap', 'flapping') === COUNTS.flap,
  'each flapping target is reported as flapping once',
  String(countReportedOnce('flap', 'flapping')),
);
process.stdout.write(`${messages.length} messages, ${reported.size} events\n`);
await stack.stop();
finish();
