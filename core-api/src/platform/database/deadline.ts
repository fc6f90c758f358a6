import { AsyncLocalStorage } from 'node:async_hooks';
import { DatabaseUnavailableError } from './unavailable';

/** Time that a call of REST may wait for the database, ms: an outage is a 503 within 6 s (contract §2). */
export const CALL_BUDGET_MS = 5_500;

interface Call {
  leftMs: number;
  /** False once the call has ended: work that still runs afterwards has no limit. */
  open: boolean;
}

const calls = new AsyncLocalStorage<Call>();

function currentCall(): Call | undefined {
  const call = calls.getStore();
  return call?.open ? call : undefined;
}

/**
 * Limits the total time that `work` waits for the database, in milliseconds. A budget inside another one cannot exceed
 * it.
 */
export async function withTimeBudget<T>(ms: number, work: () => Promise<T>): Promise<T> {
  const outer = currentCall();
  const budgetMs = Math.min(ms, remainingMs());
  const call = { leftMs: budgetMs, open: true };
  try {
    return await calls.run(call, work);
  } finally {
    call.open = false;
    if (outer) outer.leftMs -= budgetMs - call.leftMs;
  }
}

/** Milliseconds left of the budget; infinite outside of `withTimeBudget`. */
export const remainingMs = (): number => currentCall()?.leftMs ?? Number.POSITIVE_INFINITY;

interface Wait {
  /** Names the awaited thing in the log. */
  name: string;
  /** Milliseconds; the budget applies as well. */
  limitMs?: number;
  /** Called when the time is over, before the rejection. */
  onExpire?: () => void;
}

/** Awaits `operation` and charges the time to the budget. @throws DatabaseUnavailableError when the time is over */
export async function withDeadline<T>(
  operation: () => Promise<T>,
  { name, limitMs = Number.POSITIVE_INFINITY, onExpire }: Wait,
): Promise<T> {
  const call = currentCall();
  const ms = Math.min(limitMs, remainingMs());
  if (ms <= 0) throw new DatabaseUnavailableError(`${name}: the time budget of the call is used up`);
  if (ms === Number.POSITIVE_INFINITY) return operation();
  const startedAt = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      onExpire?.();
      reject(new DatabaseUnavailableError(`${name}: no answer within ${Math.round(ms)} ms`));
    }, ms);
  });
  try {
    return await Promise.race([operation(), timeout]);
  } finally {
    clearTimeout(timer);
    if (call) call.leftMs -= performance.now() - startedAt;
  }
}
