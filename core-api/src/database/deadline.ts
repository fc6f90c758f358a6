import { AsyncLocalStorage } from 'node:async_hooks';
import { DatabaseOutage } from './outage';

interface Call {
  leftMs: number;
  /** False once the call has ended: work that it left running is no longer limited. */
  open: boolean;
}

const calls = new AsyncLocalStorage<Call>();

function currentCall(): Call | undefined {
  const call = calls.getStore();
  return call?.open ? call : undefined;
}

/** Limits how long `work` waits for the database, in all, to `ms`. An outer budget stays in force. */
export async function withTimeBudget<T>(ms: number, work: () => Promise<T>): Promise<T> {
  if (currentCall()) return work();
  const call = { leftMs: ms, open: true };
  try {
    return await calls.run(call, work);
  } finally {
    call.open = false;
  }
}

/** Milliseconds left of the budget; infinite outside of `withTimeBudget`. */
export const remainingMs = (): number => currentCall()?.leftMs ?? Number.POSITIVE_INFINITY;

interface Wait {
  /** For the log: what was waited for. */
  what: string;
  /** Milliseconds; the budget applies as well. */
  limit?: number;
  /** Called when the time is over, before the rejection. */
  expire?: () => void;
}

/** Awaits `ask` and charges the time to the budget. @throws DatabaseOutage when the time is over */
export async function withDeadline<T>(
  ask: () => Promise<T>,
  { what, limit = Number.POSITIVE_INFINITY, expire }: Wait,
): Promise<T> {
  const call = currentCall();
  const ms = Math.min(limit, remainingMs());
  if (ms <= 0) throw new DatabaseOutage(`${what}: the time of the call is over`);
  if (ms === Number.POSITIVE_INFINITY) return ask();
  const began = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      expire?.();
      reject(new DatabaseOutage(`${what}: nothing within ${Math.round(ms)} ms`));
    }, ms);
  });
  try {
    return await Promise.race([ask(), over]);
  } finally {
    clearTimeout(timer);
    if (call) call.leftMs -= performance.now() - began;
  }
}
