export const MINUTE_S = 60;
export const HOUR_S = 60 * MINUTE_S;
export const DAY_S = 24 * HOUR_S;

/**
 * A table with the counts of each subject per unit of time. Every request is added to all three tables, so that a long
 * range need not be summed from much smaller units.
 */
export interface Rollup {
  table: 'usage_minutes' | 'usage_hours' | 'usage_days';
  unitSeconds: number;
  keepSeconds: number;
}

export const minutes: Rollup = { table: 'usage_minutes', unitSeconds: MINUTE_S, keepSeconds: 2 * DAY_S };
export const hours: Rollup = { table: 'usage_hours', unitSeconds: HOUR_S, keepSeconds: 90 * DAY_S };
export const days: Rollup = { table: 'usage_days', unitSeconds: DAY_S, keepSeconds: 400 * DAY_S };
export const rollups: readonly Rollup[] = [minutes, hours, days];

/** Units of a rollup by their number since 1970 (UTC), both ends included. */
export interface UnitRange {
  rollup: Rollup;
  first: number;
  last: number;
}

/** The units that overlap a period. @param from seconds since 1970 @param until seconds since 1970, excluded */
export const toUnits = (rollup: Rollup, from: number, until: number): UnitRange => ({
  rollup,
  first: Math.floor(from / rollup.unitSeconds),
  last: Math.ceil(until / rollup.unitSeconds) - 1,
});
