import type { FieldPolicy, Reference } from '@apollo/client';

type Rows = readonly Reference[];
type Page = Readonly<Record<string, Rows | number | string | null>>;

interface Paging {
  rowsField: string;
  /** The arguments that identify a list. The other arguments identify a page. */
  keyArgs: string[];
  isFirst: (args: Record<string, unknown>) => boolean;
}

const getRows = (page: Page | undefined, field: string): Rows => {
  const rows = page?.[field];
  return Array.isArray(rows) ? rows : [];
};

/** The candidates that `rows` does not contain. */
function excludeRows(candidates: Rows, rows: Rows): Rows {
  const ids = new Set(rows.map(({ __ref }) => __ref));
  return candidates.filter(({ __ref }) => !ids.has(__ref));
}

/** The existing rows after the last row of `firstPage`. If that row is new, `firstPage.length` rows are skipped. */
function getRowsAfter(firstPage: Rows, existingRows: Rows): Rows {
  const lastId = firstPage.at(-1)?.__ref;
  const position = existingRows.findIndex(({ __ref }) => __ref === lastId);
  return excludeRows(existingRows.slice(position < 0 ? firstPage.length : position + 1), firstPage);
}

/**
 * Keeps one list per search, order and filter. `fetchMore` adds pages to this list. The first page replaces the rows up
 * to its last row. A refetch thus updates the beginning of a long list, and keeps the other rows and their cursor
 * (`next`). If a new row moves an older row to the next page, the older row is listed once.
 */
const createPagesPolicy = ({ rowsField, keyArgs, isFirst }: Paging): FieldPolicy<Page> => ({
  keyArgs,
  merge(existing, incoming, { args }) {
    const existingRows = getRows(existing, rowsField);
    const incomingRows = getRows(incoming, rowsField);
    if (!isFirst(args ?? {}))
      return { ...incoming, [rowsField]: [...existingRows, ...excludeRows(incomingRows, existingRows)] };
    const isComplete = incomingRows.length >= Number(incoming.total);
    const keptRows = isComplete ? [] : getRowsAfter(incomingRows, existingRows);
    const next = keptRows.length > 0 ? existing?.next : undefined;
    const rows = [...incomingRows, ...keptRows];
    return next === undefined ? { ...incoming, [rowsField]: rows } : { ...incoming, next, [rowsField]: rows };
  },
});

/** Policy for pages that follow a row, whose id is the cursor (`after`). */
export const createCursorPagesPolicy = (rowsField: string, filters: readonly string[]): FieldPolicy<Page> =>
  createPagesPolicy({
    rowsField,
    keyArgs: ['search', 'sortBy', 'order', 'wholeUpTo', ...filters],
    isFirst: ({ after }) => !after,
  });

/** Policy for pages that follow the cursor of the previous page (`before`). */
export const messagePages = createPagesPolicy({
  rowsField: 'messages',
  keyArgs: [],
  isFirst: ({ before }) => !before,
});

/** Policy for numbered pages (`page`). */
const createNumberedPagesPolicy = (pages: Pick<Paging, 'rowsField' | 'keyArgs'>): FieldPolicy<Page> =>
  createPagesPolicy({ ...pages, isFirst: ({ page }) => page === 1 });

export const alertPages = createNumberedPagesPolicy({ rowsField: 'alerts', keyArgs: ['state'] });

export const subdomainPages = createNumberedPagesPolicy({
  rowsField: 'subdomains',
  keyArgs: ['search', 'state'],
});
