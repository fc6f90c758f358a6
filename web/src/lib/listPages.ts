import type { FieldPolicy, Reference } from '@apollo/client';

type Page = Readonly<Record<string, readonly Reference[] | number | string | null>>;

interface ListPages {
  /** The field of the page's rows. */
  rows: string;
  /** The field that identifies a row. */
  id: string;
  /** The arguments that choose a list; the others choose a page of it. */
  keyArgs: string[];
  isFirst: (args: Record<string, unknown>) => boolean;
}

const rowsIn = (page: Page | undefined, field: string): readonly Reference[] => {
  const rows = page?.[field];
  return Array.isArray(rows) ? rows : [];
};

/**
 * One list per search, order and filter, to which `fetchMore` adds pages. The first page replaces the rows up to its last one,
 * so that a refetch updates the beginning of a long list and keeps the rest, with the cursor after it (`next`). A row that
 * moved to another page because another was created meanwhile is listed once.
 */
const joinedPages = ({ rows: field, id, keyArgs, isFirst }: ListPages): FieldPolicy<Page> => ({
  keyArgs,
  merge(existing, incoming, { args, readField }) {
    const [known, read] = [rowsIn(existing, field), rowsIn(incoming, field)];
    const first = isFirst(args ?? {});
    const last = read.at(-1);
    const position = last ? known.findIndex((row) => readField(id, row) === readField(id, last)) : -1;
    const [before, after] = first ? [read, known.slice(position < 0 ? read.length : position + 1)] : [known, read];
    const ids = new Set(before.map((row) => readField(id, row)));
    const isComplete = first && read.length >= Number(incoming.total);
    const rest = isComplete ? [] : after.filter((row) => !ids.has(readField(id, row)));
    const next = first && rest.length > 0 ? existing?.next : incoming.next;
    return { ...incoming, ...(next !== undefined && { next }), [field]: [...before, ...rest] };
  },
});

/** Pages that follow a row (`after`). */
export const listPages = (rows: string, filters: readonly string[]): FieldPolicy<Page> =>
  joinedPages({
    rows,
    id: '_id',
    keyArgs: ['search', 'sortBy', 'order', 'wholeUpTo', ...filters],
    isFirst: ({ after }) => !after,
  });

/** Pages that follow the cursor of the previous one (`before`). */
export const messagePages = joinedPages({
  rows: 'messages',
  id: '_id',
  keyArgs: [],
  isFirst: ({ before }) => !before,
});

/** Pages with numbers. */
const numberedPages = (pages: Pick<ListPages, 'rows' | 'id' | 'keyArgs'>): FieldPolicy<Page> =>
  joinedPages({ ...pages, isFirst: ({ page }) => page === 1 });

export const alertPages = numberedPages({ rows: 'alerts', id: '_id', keyArgs: ['state'] });

export const subdomainPages = numberedPages({ rows: 'subdomains', id: 'subdomain', keyArgs: ['search', 'state'] });
