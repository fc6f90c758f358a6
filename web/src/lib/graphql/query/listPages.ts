import type { FieldPolicy, Reference } from '@apollo/client';

type Page = Readonly<Record<string, readonly Reference[] | number | string | null>>;

interface ListPages {
  rowsField: string;
  /** The field that identifies a row. */
  idField?: string;
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
 * to its last row. A refetch thus updates the beginning of a long list, and keeps the other rows and their cursor
 * (`next`). If a new row moves an older row to the next page, the older row is listed once.
 */
const joinPages = ({ rowsField, idField = '_id', keyArgs, isFirst }: ListPages): FieldPolicy<Page> => ({
  keyArgs,
  merge(existing, incoming, { args, readField }) {
    const [existingRows, incomingRows] = [getRows(existing, rowsField), getRows(incoming, rowsField)];
    const isFirstPage = isFirst(args ?? {});
    const getId = (row: Reference) => readField(idField, row);
    const lastRow = incomingRows.at(-1);
    const position = lastRow ? existingRows.findIndex((row) => getId(row) === getId(lastRow)) : -1;
    const [firstRows, laterRows] = isFirstPage
      ? [incomingRows, existingRows.slice(position < 0 ? incomingRows.length : position + 1)]
      : [existingRows, incomingRows];
    const firstIds = new Set(firstRows.map(getId));
    const isComplete = isFirstPage && incomingRows.length >= Number(incoming.total);
    const keptRows = isComplete ? [] : laterRows.filter((row) => !firstIds.has(getId(row)));
    const next = isFirstPage && keptRows.length > 0 ? existing?.next : incoming.next;
    return { ...incoming, ...(next !== undefined && { next }), [rowsField]: [...firstRows, ...keptRows] };
  },
});

/** Policy for pages that follow a row (`after`). */
export const listPages = (rowsField: string, filters: readonly string[]): FieldPolicy<Page> =>
  joinPages({
    rowsField,
    keyArgs: ['search', 'sortBy', 'order', 'wholeUpTo', ...filters],
    isFirst: ({ after }) => !after,
  });

/** Policy for pages that follow the cursor of the previous page (`before`). */
export const messagePages = joinPages({
  rowsField: 'messages',
  keyArgs: [],
  isFirst: ({ before }) => !before,
});

/** Policy for pages with numbers. */
const joinNumberedPages = (pages: Pick<ListPages, 'rowsField' | 'idField' | 'keyArgs'>): FieldPolicy<Page> =>
  joinPages({ ...pages, isFirst: ({ page }) => page === 1 });

export const alertPages = joinNumberedPages({ rowsField: 'alerts', keyArgs: ['state'] });

export const subdomainPages = joinNumberedPages({
  rowsField: 'subdomains',
  idField: 'subdomain',
  keyArgs: ['search', 'state'],
});
