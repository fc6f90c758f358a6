import { AsyncLocalStorage } from 'node:async_hooks';
import { DatabaseUnavailableError } from './unavailable';

/** Time for which a REST call may wait for the database. An outage is answered with 503 within 6 s (contract §2). */
export const CALL_BUDGET_MS = 5_500;

interface TimeBudget {
  leftMs: number;
  openWaits: number;
  /** Time up to which the waits are charged, in the unit of `performance.now`. */
  chargedUntil: number;
  outer: TimeBudget | undefined;
  /** False after the work of the budget has ended. Work that continues afterwards has no time limit. */
  isOpen: boolean;
}

const budgets = new AsyncLocalStorage<TimeBudget>();

function getCurrentBudget(): TimeBudget | undefined {
  const budget = budgets.getStore();
  return budget?.isOpen ? budget : undefined;
}

/** Charges the time since the last charge to the budget and its outer budgets. Parallel waits are charged once. */
function charge(budget: TimeBudget | undefined, openWaitsDelta: -1 | 0 | 1): void {
  if (!budget) return;
  const now = performance.now();
  if (budget.openWaits > 0) budget.leftMs -= now - budget.chargedUntil;
  budget.chargedUntil = now;
  budget.openWaits += openWaitsDelta;
  charge(budget.outer, openWaitsDelta);
}

/**
 * Runs `work`, which may wait for the database for at most `ms` in total. The limited time is wall-clock time: parallel
 * waits count once. A budget inside another budget cannot exceed the outer budget.
 */
export async function withTimeBudget<T>(ms: number, work: () => Promise<T>): Promise<T> {
  const outer = getCurrentBudget();
  const budget = { leftMs: Math.min(ms, getRemainingMs()), openWaits: 0, chargedUntil: 0, outer, isOpen: true };
  try {
    return await budgets.run(budget, work);
  } finally {
    budget.isOpen = false;
  }
}

/** Returns the remaining time budget in ms; infinite outside of `withTimeBudget`. */
export function getRemainingMs(): number {
  const budget = getCurrentBudget();
  charge(budget, 0);
  return budget?.leftMs ?? Number.POSITIVE_INFINITY;
}

interface Wait {
  /** Name of the awaited operation in the log. */
  name: string;
  /** Further time limit, ms; the shorter of this limit and the budget applies. */
  limitMs?: number;
  /** Called when the time is over, before the rejection. */
  onExpire?: () => void;
}

/** Awaits `operation` and charges its time to the budget. @throws DatabaseUnavailableError after the time limit */
export async function withDeadline<T>(
  operation: () => Promise<T>,
  { name, limitMs = Number.POSITIVE_INFINITY, onExpire }: Wait,
): Promise<T> {
  const budget = getCurrentBudget();
  const ms = Math.min(limitMs, getRemainingMs());
  if (ms <= 0) throw new DatabaseUnavailableError(`${name}: the time budget of the call is used up`);
  if (ms === Number.POSITIVE_INFINITY) return operation();
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      onExpire?.();
      reject(new DatabaseUnavailableError(`${name}: no answer within ${Math.round(ms)} ms`));
    }, ms);
  });
  charge(budget, 1);
  try {
    return await Promise.race([operation(), timeout]);
  } finally {
    clearTimeout(timer);
    charge(budget, -1);
  }
}
