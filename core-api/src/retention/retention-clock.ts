import type { EntityManager } from 'typeorm';
import { RetentionClock } from './retention-clock.entity';

/** A clock may be further ahead by so much than when rows were last removed. */
const MAX_STEP_MS = 48 * 3_600_000;
/** Runs, one an hour, after which a clock that stays ahead is believed: the product did not run for long. */
const MAX_DOUBTS = 24;

/**
 * Whether rows may be removed by this clock: what a clock that is wrong takes for old is gone for good, while what stays
 * a day longer harms nobody. A clock that was set back is believed at once.
 * @param now milliseconds since the epoch
 */
export async function isBelieved(manager: EntityManager, now: number): Promise<boolean> {
  const known = await manager.findOneBy(RetentionClock, { id: 0 });
  const doubts = known && now > Date.parse(known.believedAt) + MAX_STEP_MS ? known.doubts + 1 : 0;
  if (known && doubts > 0 && doubts < MAX_DOUBTS) {
    await manager.update(RetentionClock, { id: 0 }, { doubts });
    return false;
  }
  await manager.upsert(RetentionClock, { id: 0, believedAt: new Date(now).toISOString(), doubts: 0 }, ['id']);
  return true;
}
