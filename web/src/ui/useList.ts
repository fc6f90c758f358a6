import { useDeferredValue, useMemo } from 'react';
import type { Column } from './columns';
import { normalise } from './normalise';
import { useAddress } from './useAddress';
import { useQueryText } from './useQueryText';

interface Sort {
  column: string;
  descending: boolean;
}

/** A list on screen: what is found, in which order. Search and order are in the address (`?q=&sort=-name`). */
export interface List<Row> {
  columns: readonly Column<Row>[];
  /** Found rows, in order. */
  rows: readonly Row[];
  /** Rows before the search. */
  total: number;
  query: string;
  setQuery: (query: string) => void;
  sort: Sort | null;
  setSort: (sort: Sort) => void;
}

const collator = new Intl.Collator('pt-BR', { numeric: true, sensitivity: 'base' });

function compare(a: string | number | null, b: string | number | null): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? -1 : 1;
  return typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b));
}

function readSort(text: string | null, columns: readonly Column<never>[]): Sort | null {
  const column = text?.replace(/^-/, '') ?? '';
  return columns.some(({ id, sort }) => id === column && sort)
    ? { column, descending: text?.startsWith('-') ?? false }
    : null;
}

/**
 * Searches and sorts rows that are all here. Typing never waits: the found rows follow as a deferred value.
 * @param textOf what the search looks at; like `columns`, a constant of the module
 */
export function useList<Row>(
  all: readonly Row[],
  columns: readonly Column<Row>[],
  textOf: (row: Row) => string,
): List<Row> {
  const [query, setQuery] = useQueryText();
  const { params, change } = useAddress();
  const sort = readSort(params.get('sort'), columns);
  const wanted = useDeferredValue(normalise(query.trim()));

  const indexed = useMemo(() => all.map((row) => ({ row, text: normalise(textOf(row)) })), [all, textOf]);
  const found = useMemo(
    () => indexed.filter(({ text }) => text.includes(wanted)).map(({ row }) => row),
    [indexed, wanted],
  );
  const { column, descending } = sort ?? { column: null, descending: false };
  const rows = useMemo(() => {
    const by = columns.find(({ id }) => id === column)?.sort;
    if (!by) return found;
    const sign = descending ? -1 : 1;
    return found.toSorted((a, b) => sign * compare(by(a), by(b)));
  }, [found, columns, column, descending]);

  return {
    columns,
    rows,
    total: all.length,
    query,
    setQuery,
    sort,
    setSort: (next) =>
      change((after) => after.set('sort', `${next.descending ? '-' : ''}${next.column}`), { replace: true }),
  };
}
