import { useDeferredValue, useEffect, useMemo } from 'react';
import { whenIdle } from '../../lib/browser/whenIdle';
import { foldAccents } from '../../lib/format/foldAccents';
import { useSearchParamsState } from '../../lib/routing/useSearchParamsState';
import { useSearchText } from '../../lib/routing/useSearchText';
import type { Column } from '../../ui/list/column';
import { formatSort, type List, type ListFilter, parseSort } from '../../ui/list/list';

const collator = new Intl.Collator('pt-BR', { numeric: true, sensitivity: 'base' });

function compare(a: string | number | null, b: string | number | null): number {
  if (a === b) return 0;
  if (a === null) return -1;
  if (b === null) return 1;
  return typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b));
}

/** Number of rows that are prepared for the search in one idle period. */
const PREPARED_BATCH = 250;

/**
 * Returns the function from a row to its text for the search. The texts are prepared while the page is idle, so that
 * they delay neither the first paint nor the first keystroke.
 */
function useRowSearchText<Row extends object>(loadedRows: readonly Row[], toSearchText: (row: Row) => string) {
  const getSearchText = useMemo(() => {
    const texts = new WeakMap<Row, string>();
    return (row: Row) => {
      const text = texts.get(row) ?? foldAccents(toSearchText(row));
      texts.set(row, text);
      return text;
    };
  }, [toSearchText]);
  useEffect(() => {
    let isCancelled = false;
    const prepare = async () => {
      for (let start = 0; start < loadedRows.length && !isCancelled; start += PREPARED_BATCH) {
        await whenIdle();
        loadedRows.slice(start, start + PREPARED_BATCH).forEach(getSearchText);
      }
    };
    void prepare();
    return () => {
      isCancelled = true;
    };
  }, [loadedRows, getSearchText]);
  return getSearchText;
}

/**
 * Searches, filters and sorts loaded rows. The search uses a deferred value, so that it does not delay typing.
 * @param toSearchText returns the text that the search compares. Pass a constant of the module, as for `columns`.
 */
export function useList<Row extends object>(
  loadedRows: readonly Row[],
  columns: readonly Column<Row>[],
  toSearchText: (row: Row) => string,
  filter?: ListFilter<Row>,
): List<Row> {
  const [search, setSearch] = useSearchText();
  const { params, update } = useSearchParamsState();
  const requestedSort = parseSort(params.get('sort') ?? '');
  const getSortValue = columns.find(({ id }) => id === requestedSort.column)?.sort;
  const deferredSearch = useDeferredValue(search);
  const foldedSearch = foldAccents(deferredSearch.trim());

  const getSearchText = useRowSearchText(loadedRows, toSearchText);
  const chosenFilter = filter?.options.find(({ value }) => value === params.get('filtro'))?.value ?? '';
  const matchingRows = useMemo(
    () =>
      loadedRows.filter(
        (row) =>
          (chosenFilter === '' || filter?.getValue(row) === chosenFilter) &&
          (foldedSearch === '' || getSearchText(row).includes(foldedSearch)),
      ),
    [loadedRows, getSearchText, foldedSearch, chosenFilter, filter],
  );
  const rows = useMemo(() => {
    if (!getSortValue) return matchingRows;
    const sign = requestedSort.isDescending ? -1 : 1;
    return matchingRows.toSorted((a, b) => sign * compare(getSortValue(a), getSortValue(b)));
  }, [matchingRows, getSortValue, requestedSort.isDescending]);

  return {
    columns,
    rows,
    matchCount: rows.length,
    total: loadedRows.length,
    search,
    setSearch,
    appliedSearch: deferredSearch,
    sort: getSortValue ? requestedSort : null,
    setSort: (next) => update({ sort: formatSort(next) }),
    filter: filter ? { ...filter, value: chosenFilter, setValue: (value) => update({ filtro: value }) } : null,
  };
}
