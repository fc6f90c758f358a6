/**
 * Tests load this file with `--require` into programs whose pauses would make the test long. Their clock runs
 * `CLOCK_SPEED` times as fast, and showed `CLOCK_START` at the real time `CLOCK_STARTED_AT` (both in ms since the
 * epoch). `setInterval` and `timers/promises` follow this clock. The global `setTimeout`, `AbortSignal.timeout` and
 * time limits of sockets keep the real time, because a busy machine would exceed shorter limits.
 */
const promises = require('node:timers/promises');
const { syncBuiltinESMExports } = require('node:module');

const SPEED = Number(process.env.CLOCK_SPEED);
const START = Number(process.env.CLOCK_START);
const STARTED_AT = Number(process.env.CLOCK_STARTED_AT);
const RealDate = Date;
const now = () => Math.floor(START + (RealDate.now() - STARTED_AT) * SPEED);

global.Date = new Proxy(RealDate, {
  construct: (date, args, newTarget) => Reflect.construct(date, args.length > 0 ? args : [now()], newTarget),
  get: (date, name) => (name === 'now' ? now : Reflect.get(date, name)),
});

for (const name of ['setTimeout', 'setInterval']) {
  const wait = promises[name];
  promises[name] = (ms, ...rest) => wait((ms ?? 0) / SPEED, ...rest);
}
const { setInterval } = global;
Object.assign(global, { setInterval: (callback, ms, ...rest) => setInterval(callback, (ms ?? 0) / SPEED, ...rest) });
syncBuiltinESMExports();
