import type { EntityManager, SelectQueryBuilder } from 'typeorm';
import { createFieldError } from '../../errors/rule-error';
import { databaseMessages } from '../database.messages';
import { toLikePattern } from './search-text';

/** An order of rows. In SQL expressions the alias of the row is `row`. */
interface IdOrder {
  /** SQL expression. Rows with equal values are ordered by `_id` in the same direction. */
  by: string;
  direction: 'ASC' | 'DESC';
  /** True for a text that may be null. Null is ordered like the empty text. */
  isNullable?: boolean;
}

interface IdQuery {
  order: IdOrder;
  /** Text that `searchConditions` look for, without case and diacritics. */
  search?: string | undefined;
  /** SQL conditions with the parameter `:pattern` of `LIKE`. A row must meet one of them. */
  searchConditions: readonly string[];
  /** `_id` of the last row of the previous page. */
  after?: string | undefined;
  limit?: number | undefined;
  /** A list of at most this many rows is not paged and ignores `limit`. */
  wholeUpTo?: number | undefined;
  /** Adds conditions to the query, in which the alias of the row is `row`. */
  restrict?: (query: SelectQueryBuilder<Row>) => void;
}

interface Row {
  _id: string;
}

/** Entry of `searchConditions` for the column `searchText`. */
export const SEARCH_SQL = `row."searchText" LIKE :pattern ESCAPE '\\'`;

/** SQL expression of the name, with which each search text begins. The migration `ListOrders` adds the index. */
export const NAME_ORDER_SQL = 'substr(row.searchText, 1, 100)';

/** Returns the values for `IN (:...ids)`. The empty text avoids `IN ()`, which PostgreSQL refuses. */
export const toInValues = (ids: Iterable<string>): string[] => ['', ...ids];

/** Maximum number of ids in one query, because the conversion of its rows blocks the event loop. */
const PAGE_IDS = 2_000;

function createMatchingQuery(manager: EntityManager, entity: new () => Row, idQuery: IdQuery): SelectQueryBuilder<Row> {
  const { search, searchConditions, restrict } = idQuery;
  const query = manager.createQueryBuilder(entity, 'row') as unknown as SelectQueryBuilder<Row>;
  restrict?.(query);
  if (search) query.andWhere(`(${searchConditions.join(' OR ')})`, { pattern: toLikePattern(search) });
  return query;
}

/**
 * Finds the ids of the rows that match, in order, so that a list of any length can be read in pages.
 * @returns the ids, and as `total` the number of all rows that match, regardless of `after` and `limit`
 * @throws RuleError invalid for an `after` that does not exist
 */
export async function findOrderedIds<Entity extends Row>(
  manager: EntityManager,
  entity: new () => Entity,
  idQuery: IdQuery,
): Promise<{ ids: string[]; total: number }> {
  const { limit = Number.POSITIVE_INFINITY, wholeUpTo = 0 } = idQuery;
  const createMatching = () => createMatchingQuery(manager, entity, idQuery);
  const total = await createMatching().getCount();
  return { ids: await readIds(createMatching, idQuery, total <= wholeUpTo ? Number.POSITIVE_INFINITY : limit), total };
}

/** Reads the ids after the row `after`, in pages by keyset. */
async function readIds(createMatching: () => SelectQueryBuilder<Row>, { order, after }: IdQuery, maxIds: number) {
  const { direction } = order;
  const expression = order.isNullable ? `COALESCE(${order.by}, '')` : order.by;
  const comparison = direction === 'ASC' ? '>' : '<';
  // TypeORM reads an expression in ORDER BY as the name of a column, unless the expression is selected.
  const selectSortValues = () => createMatching().select('row._id', '_id').addSelect(expression, 'value');
  let lastRow: (Row & { value: unknown }) | undefined;
  if (after !== undefined) {
    lastRow = await selectSortValues().andWhere('row._id = :after', { after }).getRawOne();
    if (!lastRow) throw createFieldError('invalid', 'after', databaseMessages.unknownRow);
  }
  const ids: string[] = [];
  for (;;) {
    const pageSize = Math.min(PAGE_IDS, maxIds - ids.length);
    const query = selectSortValues().orderBy('value', direction).addOrderBy('row._id', direction).limit(pageSize);
    if (lastRow) query.andWhere(`(${expression}, row._id) ${comparison} (:value, :_id)`, lastRow);
    const page = await query.getRawMany<NonNullable<typeof lastRow>>();
    for (const { _id } of page) ids.push(_id);
    lastRow = page.at(-1);
    if (page.length < pageSize || ids.length === maxIds) return ids;
  }
}
