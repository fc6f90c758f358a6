/** A connection, as the work of it is measured. */
export interface Working {
  /** In bytes, since it was opened. */
  readonly work: number;
  /** It takes requests after the present one. */
  readonly goesOn: boolean;
}

/** An exchange costs about as much as so many bytes that are passed on. */
export const EXCHANGE_WORK = 16 * 1024;

/** Shares of work are measured, and so is the part: of two alike one must be within the half. */
const TOLERANCE = 1.1;
/** Whoever takes the one that does more of all work would have too much himself. */
const NEARLY_ALL = 0.9;
/** So much of what is wanted is enough: not all the small ones for the rest of it. */
const ENOUGH = 0.9;

/**
 * @param before what each had done by the beginning of the time that is judged
 * @param part of the work that all have done since
 * @returns those that have done it, as few as possible
 */
export function workingPart<One extends Working>(before: ReadonlyMap<One, number>, part: number): One[] {
  const done = [...before].map(([one, work]) => ({ one, work: one.work - work }));
  const total = done.reduce((sum, { work }) => sum + work, 0);
  const wanted = part * total;
  const found: One[] = [];
  let sum = 0;
  for (const { one, work } of done.sort((a, b) => b.work - a.work)) {
    if (work === 0 || sum >= ENOUGH * wanted) break;
    if (!one.goesOn || work > NEARLY_ALL * total || sum + work > TOLERANCE * wanted) continue;
    found.push(one);
    sum += work;
  }
  return found;
}
