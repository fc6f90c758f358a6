import { getRemainingMs, withDeadline, withTimeBudget } from './deadline';

const never = () => new Promise<never>(() => undefined);

test('a time budget inside another budget ends at its own limit, and its time is charged to the outer budget', async () => {
  await withTimeBudget(60_000, async () => {
    const overdue = withTimeBudget(20, () => withDeadline(never, { name: 'answer' }));
    await expect(overdue).rejects.toThrow('no answer within 20 ms');
    expect(getRemainingMs()).toBeLessThanOrEqual(60_000 - 20 + 1);
    await withTimeBudget(90_000, async () => expect(getRemainingMs()).toBeLessThan(60_000));
  });
  expect(getRemainingMs()).toBe(Number.POSITIVE_INFINITY);
});
