import { getRemainingMs, withDeadline, withTimeBudget } from './deadline';

const never = () => new Promise<never>(() => undefined);

test('a time budget inside another budget ends at its own limit, and its time is charged to the outer budget', async () => {
  await withTimeBudget(60_000, async () => {
    const overdue = withTimeBudget(20, () => withDeadline(never, { name: 'answer' }));
    await expect(overdue).rejects.toThrow('no answer within 20 ms');
    expect(getRemainingMs()).toBeLessThanOrEqual(60_000 - 20 + 1); // A timer may be early by almost 1 ms.
    await withTimeBudget(90_000, async () => expect(getRemainingMs()).toBeLessThan(60_000));
  });
  expect(getRemainingMs()).toBe(Number.POSITIVE_INFINITY);
});

test.each([
  ['waits', (wait: () => Promise<unknown>) => wait()],
  ['time budgets', (wait: () => Promise<unknown>) => withTimeBudget(60_000, wait)],
])('parallel %s are charged once, for the time during which any of them is open', async (_kind, run) => {
  await withTimeBudget(60_000, async () => {
    const wait = (limitMs: number) => run(() => withDeadline(never, { name: 'answer', limitMs }));
    const startedAt = performance.now();
    await Promise.allSettled([wait(10), wait(20), wait(20), wait(20)]);
    const chargedMs = 60_000 - getRemainingMs();
    // A timer may be early by less than a millisecond.
    expect(chargedMs).toBeGreaterThan(20 - 1);
    expect(chargedMs).toBeLessThanOrEqual(performance.now() - startedAt);
  });
});
