/**
 * Tests load this file into programs with `--require`. The clock of these programs is a day ahead, until SIGUSR2 sets
 * it back to the real time.
 */
const DAY_MS = 24 * 60 * 60 * 1000;
const RealDate = Date;
let aheadMs = DAY_MS;
const now = () => RealDate.now() + aheadMs;

global.Date = new Proxy(RealDate, {
  construct: (date, args, newTarget) => Reflect.construct(date, args.length > 0 ? args : [now()], newTarget),
  get: (date, name) => (name === 'now' ? now : Reflect.get(date, name)),
});
process.on('SIGUSR2', () => {
  aheadMs = 0;
});
