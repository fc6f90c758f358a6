import type { FieldPolicy, Reference } from '@apollo/client';

type Page = Readonly<Record<string, readonly Reference[] | number | string | null>>;

interface ListPages {
  rows: string;
  /** The field that identifies a row. */
  id: string;
  /** The arguments that identify a list. The other arguments identify a page. */
  keyArgs: string[];
  isFirst: (args: Record<string, unknown>) => boolean;
}

const getRows = (page: Page | undefined, field: string): readonly Reference[] => {
  const rows = page?.[field];
  return Array.isArray(rows) ? rows : [];
};

/**
 * Keeps one list per search, order and filter. `fetchMore` adds pages to this list. The first page replaces the rows up
 * to its last row, so that a refetch updates the beginning of a long list and keeps the other rows and their cursor
 * (`next`). A row that a new row has moved to another page is listed once.
 */
const joinPages = ({ rows: field, id, keyArgs, isFirst }: ListPages): FieldPolicy<Page> => ({
  keyArgs,
  merge(existing, incoming, { args, readField }) {
    const [knownRows, readRows] = [getRows(existing, field), getRows(incoming, field)];
    const isFirstPage = isFirst(args ?? {});
    const lastRead = readRows.at(-1);
    const position = lastRead ? knownRows.findIndex((row) => readField(id, row) === readField(id, lastRead)) : -1;
    const [before, after] = isFirstPage
      ? [readRows, knownRows.slice(position < 0 ? readRows.length : position + 1)]
      : [knownRows, readRows];
    const ids = new Set(before.map((row) => readField(id, row)));
    const isComplete = isFirstPage && readRows.length >= Number(incoming.total);
    const newRows = isComplete ? [] : after.filter((row) => !ids.has(readField(id, row)));
    const next = isFirstPage && newRows.length > 0 ? existing?.next : incoming.next;
    return { ...incoming, ...(next !== undefined && { next }), [field]: [...before, ...newRows] };
  },
});

/** Policy for pages that follow a row (`after`). */
export const listPages = (rows: string, filters: readonly string[]): FieldPolicy<Page> =>
  joinPages({
    rows,
    id: '_id',
    keyArgs: ['search', 'sortBy', 'order', 'wholeUpTo', ...filters],
    isFirst: ({ after }) => !after,
  });

/** Policy for pages that follow the cursor of the previous page (`before`). */
export const messagePages = joinPages({
  rows: 'messages',
  id: '_id',
  keyArgs: [],
  isFirst: ({ before }) => !before,
});

/** Policy for pages with numbers. */
const joinNumberedPages = (pages: Pick<ListPages, 'rows' | 'id' | 'keyArgs'>): FieldPolicy<Page> =>
  joinPages({ ...pages, isFirst: ({ page }) => page === 1 });

export const alertPages = joinNumberedPages({ rows: 'alerts', id: '_id', keyArgs: ['state'] });

export const subdomainPages = joinNumberedPages({ rows: 'subdomains', id: 'subdomain', keyArgs: ['search', 'state'] });
