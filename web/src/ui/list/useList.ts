import { useDeferredValue, useEffect, useMemo } from 'react';
import { normalise } from '../../lib/normalise';
import { useSearchParamsState } from '../../lib/useSearchParamsState';
import { useSearchText } from '../../lib/useSearchText';
import { whenIdle } from '../../lib/whenIdle';
import type { Column } from './column';

interface Sort {
  column: string;
  descending: boolean;
}

/** A choice that leaves only some rows; it is in the address (`?filtro=`). A constant of the module. */
export interface ListFilter<Row> {
  /** Names the choice: "Status". */
  label: string;
  /** The choice of all rows. */
  all: string;
  options: readonly { value: string; label: string }[];
  valueOf: (row: Row) => string;
}

/** A list on screen: what is found, in which order. Search and order are in the address (`?q=&sort=-name`). */
export interface List<Row> {
  columns: readonly Column<Row>[];
  /** Found rows, in order. */
  rows: readonly Row[];
  /** Rows before the search. */
  total: number;
  /** What is searched for, as typed. */
  search: string;
  setSearch: (text: string) => void;
  /** What `rows` were searched for: follows `search`. */
  searched: string;
  sort: Sort | null;
  setSort: (sort: Sort) => void;
  /** With what is chosen; an empty `value` is the choice of all rows. */
  filter: (ListFilter<Row> & { value: string; setValue: (value: string) => void }) | null;
}

const collator = new Intl.Collator('pt-BR', { numeric: true, sensitivity: 'base' });

function compare(a: string | number | null, b: string | number | null): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? -1 : 1;
  return typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b));
}

/** An order as the address has it: `name`, `-name` for descending. */
export const sortToText = ({ column, descending }: Sort): string => `${descending ? '-' : ''}${column}`;

export const textToSort = (text: string): Sort => ({
  column: text.replace(/^-/, ''),
  descending: text.startsWith('-'),
});

/** So many rows are prepared for a search at a time. */
const PREPARED_AT_ONCE = 250;

/**
 * The text of a row as a search compares it. It is prepared while the page is idle: neither the first paint of thousands of
 * rows nor the first key waits for all of it.
 */
function useSearchedText<Row extends object>(all: readonly Row[], textOf: (row: Row) => string): (row: Row) => string {
  const searchedText = useMemo(() => {
    const texts = new WeakMap<Row, string>();
    return (row: Row) => {
      const text = texts.get(row) ?? normalise(textOf(row));
      texts.set(row, text);
      return text;
    };
  }, [textOf]);
  useEffect(() => {
    let isOver = false;
    const prepare = async () => {
      for (let start = 0; start < all.length && !isOver; start += PREPARED_AT_ONCE) {
        await whenIdle();
        all.slice(start, start + PREPARED_AT_ONCE).forEach(searchedText);
      }
    };
    void prepare();
    return () => {
      isOver = true;
    };
  }, [all, searchedText]);
  return searchedText;
}

/**
 * Searches and sorts rows that are all here. Typing never waits: the found rows follow as a deferred value.
 * @param textOf what the search looks at; like `columns`, a constant of the module
 */
export function useList<Row extends object>(
  all: readonly Row[],
  columns: readonly Column<Row>[],
  textOf: (row: Row) => string,
  filter?: ListFilter<Row>,
): List<Row> {
  const [search, setSearch] = useSearchText();
  const { params, update } = useSearchParamsState();
  const asked = textToSort(params.get('sort') ?? '');
  const sortOf = columns.find(({ id }) => id === asked.column)?.sort;
  const searched = useDeferredValue(search);
  const wanted = normalise(searched.trim());

  const searchedText = useSearchedText(all, textOf);
  const asksFor = params.get('filtro');
  const chosen = filter?.options.find(({ value }) => value === asksFor)?.value ?? '';
  const found = useMemo(
    () =>
      all.filter(
        (row) =>
          (chosen === '' || filter?.valueOf(row) === chosen) && (wanted === '' || searchedText(row).includes(wanted)),
      ),
    [all, searchedText, wanted, chosen, filter],
  );
  const rows = useMemo(() => {
    if (!sortOf) return found;
    const sign = asked.descending ? -1 : 1;
    return found.toSorted((a, b) => sign * compare(sortOf(a), sortOf(b)));
  }, [found, sortOf, asked.descending]);

  return {
    columns,
    rows,
    total: all.length,
    search,
    setSearch,
    searched,
    sort: sortOf ? asked : null,
    setSort: (next) => update((after) => after.set('sort', sortToText(next)), { replace: true }),
    filter: filter
      ? {
          ...filter,
          value: chosen,
          setValue: (value) =>
            update((after) => (value === '' ? after.delete('filtro') : after.set('filtro', value)), { replace: true }),
        }
      : null,
  };
}
