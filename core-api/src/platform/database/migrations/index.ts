import * as all from './all';

/** TypeORM orders migrations by the time stamp at the end of their names. */
const parseTimestamp = ({ name }: { name: string }): string => name.slice(-13);

/**
 * The migrations in the order in which they are applied. A migration imports no code of features, so that its effect
 * never changes.
 */
export const migrations = Object.values(all).sort((a, b) => (parseTimestamp(a) < parseTimestamp(b) ? -1 : 1));
