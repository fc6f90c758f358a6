import type { EntityManager } from 'typeorm';
import { DAY_MS } from '../time/units';
import { RetentionClock } from './retention-clock.entity';

/** A clock is plausible up to this long after the last removal. */
const MAX_STEP_MS = 2 * DAY_MS;
/** Hourly runs after which a clock that stays ahead is plausible: the product was stopped for long. */
const MAX_IMPLAUSIBLE_RUNS = 24;

/**
 * Whether retention may remove rows by this clock. A clock that runs ahead would remove rows for good, while rows that
 * stay a day longer do no harm. A clock that was set back is plausible at once.
 * @param now milliseconds since the epoch
 */
export async function isClockPlausible(manager: EntityManager, now: number): Promise<boolean> {
  const known = await manager.findOneBy(RetentionClock, { id: 0 });
  const implausibleRuns = known && now > Date.parse(known.plausibleAt) + MAX_STEP_MS ? known.implausibleRuns + 1 : 0;
  if (known && implausibleRuns > 0 && implausibleRuns < MAX_IMPLAUSIBLE_RUNS) {
    await manager.update(RetentionClock, { id: 0 }, { implausibleRuns });
    return false;
  }
  await manager.upsert(RetentionClock, { id: 0, plausibleAt: new Date(now).toISOString(), implausibleRuns: 0 }, ['id']);
  return true;
}
