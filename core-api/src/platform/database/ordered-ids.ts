import { Brackets, type EntityManager, type SelectQueryBuilder } from 'typeorm';
import { fieldError } from '../errors';
import { databaseMessages } from './database.messages';
import { containing } from './search-text';

/** An order of rows. Expressions are SQL and name the row `row`. */
interface IdOrder {
  /** Rows with equal values are ordered by `_id` in the same direction. */
  by: string;
  direction: 'ASC' | 'DESC';
  /** A text that may be null; null is less than any text. */
  isNullable?: boolean;
}

interface IdQuery {
  order: IdOrder;
  /** Text that one of `searched` contains, without case and diacritics. */
  search?: string | undefined;
  /** SQL conditions with the parameter `:pattern` of `LIKE`; a row that meets one of them is found. */
  searched: readonly string[];
  /** `_id` of the row before the first one wanted. */
  after?: string | undefined;
  limit?: number | undefined;
  /** Up to this many rows `limit` does not apply. */
  wholeUpTo?: number | undefined;
  /** Restricts the rows; their alias is `row`. */
  restrict?: (query: SelectQueryBuilder<Row>) => void;
}

interface Row {
  _id: string;
}

/** Condition of `searched` for the column of the search text. */
export const SEARCH_TEXT = `row."searchText" LIKE :pattern ESCAPE '\\'`;

/**
 * Ids of the rows that match, in order, so that a list of any length can then be read in pages.
 * @returns `total`: number of all rows that match, without `after` and `limit`
 * @throws RuleError invalid for an `after` that does not exist
 */
export async function orderedIds<Entity extends Row>(
  manager: EntityManager,
  entity: new () => Entity,
  { order: { by, direction, isNullable = false }, search, searched, after, limit, wholeUpTo, restrict }: IdQuery,
): Promise<{ ids: string[]; total: number }> {
  const matching = () => {
    const query = manager.createQueryBuilder(entity, 'row') as unknown as SelectQueryBuilder<Row>;
    restrict?.(query);
    if (search) query.andWhere(`(${searched.join(' OR ')})`, { pattern: containing(search) });
    return query;
  };
  const total = limit === undefined ? undefined : await matching().getCount();
  const isWhole = total !== undefined && wholeUpTo !== undefined && total <= wholeUpTo;
  const expression = isNullable ? `COALESCE(${by}, '')` : by;
  // An expression in ORDER BY must be selected: TypeORM takes its text for a column otherwise.
  const query = matching()
    .select('row._id', '_id')
    .addSelect(expression, 'place')
    .orderBy('place', direction)
    .addOrderBy('row._id', direction)
    .limit(isWhole ? undefined : limit);
  if (after !== undefined) {
    const last = await matching()
      .andWhere('row._id = :after', { after })
      .select(expression, 'value')
      .getRawOne<{ value: unknown }>();
    if (!last) throw unknownRow();
    const beyond = direction === 'ASC' ? '>' : '<';
    query.andWhere(
      new Brackets((where) =>
        where
          .where(`${expression} ${beyond} :last`, { last: last.value })
          .orWhere(`(${expression} = :last AND row._id ${beyond} :after)`, { last: last.value, after }),
      ),
    );
  }
  const ids = (await query.getRawMany<Row>()).map(({ _id }) => _id);
  return { ids, total: total ?? (after === undefined ? ids.length : await matching().getCount()) };
}

const unknownRow = () => fieldError('invalid', 'after', databaseMessages.unknownRow);
