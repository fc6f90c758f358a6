import type { EntityManager } from 'typeorm';

interface DownQuery<Columns> {
  table: string;
  /** The columns that the target follows from. */
  columns: readonly (keyof Columns & string)[];
  /** The column that names a row; the first few are in its order. */
  name: string;
  /** SQL condition of the rows that count, with its parameters as $1, $2, … */
  where: string;
  values?: readonly unknown[];
  /** Number of rows that are returned. */
  first: number;
}

/**
 * Counts the rows whose target is down. Health is stored by a digest of the target, which SQL cannot compute, so rows with
 * equal columns are grouped there and one of each group is judged here.
 * @returns the number of rows, and the first few
 */
export async function countDown<Columns extends Record<string, unknown>>(
  manager: EntityManager,
  { table, columns, name, where, values = [], first }: DownQuery<Columns>,
  isDown: (row: Columns) => boolean,
): Promise<{ total: number; first: { _id: string; name: string }[] }> {
  const list = columns.map((column) => `"${column}"`).join(', ');
  const groups = await manager.query<(Columns & { rowCount: number | string; firstName: string })[]>(
    `SELECT ${list}, COUNT(*) AS "rowCount", MIN("${name}") AS "firstName" FROM ${table} WHERE ${where} GROUP BY ${list}`,
    [...values],
  );
  const down = groups.filter(isDown);
  if (down.length === 0) return { total: 0, first: [] };
  // The first rows of all groups are in the groups whose own first rows come first.
  const searched = down.sort((one, other) => (one.firstName < other.firstName ? -1 : 1)).slice(0, first);
  const parameters = [...values];
  const isGroup = (group: Columns) =>
    columns
      .map((column) => {
        if (group[column] === null) return `"${column}" IS NULL`;
        parameters.push(group[column]);
        return `"${column}" = $${parameters.length}`;
      })
      .join(' AND ');
  const rows = await manager.query<{ _id: string; name: string }[]>(
    `SELECT _id, "${name}" AS name FROM ${table} WHERE ${where} AND (${searched.map((group) => `(${isGroup(group)})`).join(' OR ')})
      ORDER BY "${name}", _id LIMIT ${first}`,
    parameters,
  );
  return { total: down.reduce((sum, { rowCount }) => sum + Number(rowCount), 0), first: rows };
}
