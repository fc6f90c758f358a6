import type { FieldPolicy, Reference } from '@apollo/client';

type Rows = readonly Reference[];
type Page = Readonly<Record<string, Rows | readonly Rows[] | number | string | null>>;

interface Paging {
  rowsField: string;
  /** The field with the names of the entities in the rows of a page. The names of all pages are kept. */
  namesField?: string;
  /** The arguments that identify a list. The other arguments identify a page. */
  keyArgs: string[];
  isFirst: (args: Record<string, unknown>) => boolean;
  /**
   * Whether the list stays an array of pages, which `joinPages` joins. When an array changes, Apollo visits all of its
   * elements and keeps the earlier results: 10,000 rows in pages of 15 take 0.1 GB, and as one array 1 GB.
   */
  isNested?: boolean;
}

/** The rows in a field of `page`: one array for each page, or one array of rows. `flat` returns the rows of both. */
const getPages = (page: Page | undefined, field: string): readonly Rows[] => {
  const pages = page?.[field];
  return Array.isArray(pages) ? pages : [];
};

/** The rows of a query whose policy keeps pages. The types of the query do not show the pages. */
export const joinPages = <Row>(pages: readonly Row[] = []): readonly Row[] => pages.flat() as Row[];

function excludeRows(candidates: Rows, rows: Rows): Rows {
  const ids = new Set(rows.map(({ __ref }) => __ref));
  return candidates.filter(({ __ref }) => !ids.has(__ref));
}

function joinNames(field: string, existing: Page | undefined, incoming: Page): Page {
  const names = getPages(incoming, field).flat();
  return { [field]: [...names, ...excludeRows(getPages(existing, field).flat(), names)] };
}

/** Drops the existing rows up to the last row of `firstPage`. If that row is new, drops as many as `firstPage` has. */
function getRowsAfter(firstPage: Rows, existingRows: Rows): Rows {
  // If all rows of the first page are new, rows that were never read may lie between it and the existing rows.
  if (excludeRows(firstPage, existingRows).length === firstPage.length) return [];
  const lastId = firstPage.at(-1)?.__ref;
  const position = existingRows.findIndex(({ __ref }) => __ref === lastId);
  return excludeRows(existingRows.slice(position < 0 ? firstPage.length : position + 1), firstPage);
}

/**
 * Keeps one list per search, order and filter. `fetchMore` adds pages to this list. The first page replaces the rows up
 * to its last row. A refetch thus updates the beginning of a long list, and keeps the other rows and their cursor
 * (`next`). If a new row moves an older row to the next page, the older row is listed once.
 */
const createPagesPolicy = ({ rowsField, namesField, keyArgs, isFirst, isNested }: Paging): FieldPolicy<Page> => ({
  keyArgs,
  merge(existing, incoming, { args }) {
    const existingPages = getPages(existing, rowsField);
    const existingRows = existingPages.flat();
    const incomingRows = getPages(incoming, rowsField).flat();
    const page = { ...incoming, ...(namesField && joinNames(namesField, existing, incoming)) };
    const join = (pages: readonly Rows[]) => (isNested ? pages.filter(({ length }) => length > 0) : pages.flat());
    if (!isFirst(args ?? {}))
      return { ...page, [rowsField]: join([...existingPages, excludeRows(incomingRows, existingRows)]) };
    const keptRows = incomingRows.length >= Number(incoming.total) ? [] : getRowsAfter(incomingRows, existingRows);
    const cursor = keptRows.length > 0 && existing?.next !== undefined ? { next: existing.next } : undefined;
    return { ...page, ...cursor, [rowsField]: join([incomingRows, keptRows]) };
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

/** Policies for numbered pages. */
const isFirst: Paging['isFirst'] = ({ page }) => page === 1;
export const alertPages = createPagesPolicy({ rowsField: 'alerts', keyArgs: ['state'], isFirst });
export const auditPages = createPagesPolicy({
  rowsField: 'entries',
  namesField: 'names',
  keyArgs: ['entity', 'actor'],
  isFirst,
});
export const subdomainPages = createPagesPolicy({
  rowsField: 'subdomains',
  keyArgs: ['search', 'state'],
  isFirst,
  isNested: true,
});
