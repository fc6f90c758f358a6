import {
  defaultRangeExtractor,
  type Range,
  useVirtualizer,
  useWindowVirtualizer,
  type VirtualItem,
} from '@tanstack/react-virtual';
import { type FocusEvent, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';

/** A shorter list is mounted as a whole. The first page of a long list has 100 rows. */
const MIN_VIRTUAL = 100;
/** Height of a row with one line, including its border. */
export const ONE_LINE_ROW_PX = 53;
/** Number of rows that are mounted above the window, and again below it. */
const OVERSCAN = 4;

interface RowPart<Row> {
  kind: 'row';
  key: string;
  index: number;
  row: Row;
}

/** A part of a long list: a mounted row, or the height of rows that are not mounted. */
type ListPart<Row> = RowPart<Row> | { kind: 'spacer'; key: string; heightPx: number };

/**
 * Keeps the pinned row, the row with the focus and its neighbours mounted, at every scroll position and after
 * insertions above them. Tab would skip neighbours that are not mounted.
 */
function useMountedRows(rows: readonly RowPart<unknown>[], pinnedIndex: number) {
  const [focusedKey, setFocusedKey] = useState<string>();
  const focusedIndex = focusedKey === undefined ? -1 : rows.findIndex(({ key }) => key === focusedKey);
  const onFocus = (event: FocusEvent) => {
    const index = event.target.closest('[data-index]')?.getAttribute('data-index');
    setFocusedKey(index ? rows[Number(index)]?.key : undefined);
  };
  const rangeExtractor = useCallback(
    (range: Range) => {
      const indexes = new Set(defaultRangeExtractor(range));
      const aroundFocus = focusedIndex < 0 ? [] : [focusedIndex - 1, focusedIndex, focusedIndex + 1];
      for (const index of [...aroundFocus, pinnedIndex]) if (index >= 0 && index < range.count) indexes.add(index);
      return [...indexes].sort((a, b) => a - b);
    },
    [focusedIndex, pinnedIndex],
  );
  return { onFocus, rangeExtractor };
}

interface Virtualizer {
  getVirtualItems: () => readonly { index: number; start: number; end: number }[];
  getTotalSize: () => number;
}

/** Returns mounted rows and spacers. @param listTop offset of the list in its scroll container, in pixels */
function layOut<Row>(virtualizer: Virtualizer, rows: readonly RowPart<Row>[], listTop: number): ListPart<Row>[] {
  const parts: ListPart<Row>[] = [];
  let end = listTop;
  const addSpacerUntil = (spacerEnd: number) => {
    if (spacerEnd > end) parts.push({ kind: 'spacer', key: `spacer${end}`, heightPx: spacerEnd - end });
  };
  for (const item of virtualizer.getVirtualItems()) {
    addSpacerUntil(item.start);
    parts.push(...rows.slice(item.index, item.index + 1));
    end = item.end;
  }
  addSpacerUntil(listTop + virtualizer.getTotalSize());
  return parts;
}

interface VirtualRowsOptions<Row> {
  rows: readonly Row[];
  /** A stable function. */
  rowKey: (row: Row) => string;
  /** Height of a row that is not measured yet. */
  rowHeightPx: number;
  /** Number of rows of the list, if more than `rows`. */
  total?: number;
  /** Index of a row that stays mounted, such as the first invalid row; -1 for no row. */
  pinnedIndex?: number;
}

/**
 * The common part of `useVirtualRows` and `useVirtualRowsIn`. `setListTop` stores the offset of the list in its scroll
 * container.
 */
function useVirtualList<Row>({ rows, rowKey, rowHeightPx, total, pinnedIndex = -1 }: VirtualRowsOptions<Row>) {
  const element = useRef<HTMLElement>(null);
  const container = useCallback((list: HTMLElement | null) => {
    element.current = list;
  }, []);
  const [listTop, setListTop] = useState(0);
  const rowParts = useMemo(
    () => rows.map((row, index): RowPart<Row> => ({ kind: 'row', key: rowKey(row), index, row })),
    [rows, rowKey],
  );
  const { onFocus, rangeExtractor } = useMountedRows(rowParts, pinnedIndex);
  const isVirtual = rows.length >= MIN_VIRTUAL;
  const options = {
    count: rows.length,
    getItemKey: useCallback((index: number) => rowParts[index]?.key ?? index, [rowParts]),
    enabled: isVirtual,
    estimateSize: () => rowHeightPx,
    overscan: OVERSCAN,
    scrollMargin: listTop,
    useFlushSync: false,
    rangeExtractor,
  };
  const rowCount = Math.max(total ?? 0, rows.length);
  const toListProps = (virtualizer: Virtualizer & { measureElement: (element: HTMLElement | null) => void }) => ({
    container,
    parts: isVirtual ? layOut(virtualizer, rowParts, listTop) : rowParts,
    measure: isVirtual ? virtualizer.measureElement : undefined,
    onFocus: isVirtual ? onFocus : undefined,
    /** The number of rows for screen readers; undefined while all of them are mounted. */
    announcedCount: isVirtual || rowCount > rows.length ? rowCount : undefined,
  });
  return { element, isVirtual, setListTop, options, toListProps };
}

/** Measured rows by path and estimated row height (table or cards), so that Back restores the scroll position. */
const knownHeights = new Map<string, VirtualItem[]>();

/** Mounts a part of a long list: the rows near the window, and the row with the focus and its neighbours. */
export function useVirtualRows<Row>(list: VirtualRowsOptions<Row>) {
  const { element, isVirtual, setListTop, options, toListProps } = useVirtualList(list);
  // A list without virtual rows needs no measuring, which would force a layout.
  useLayoutEffect(() => {
    if (!isVirtual) return;
    const measure = () => {
      if (element.current) setListTop(Math.round(element.current.getBoundingClientRect().top + window.scrollY));
    };
    measure();
    // The list moves when content above it appears or disappears.
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [isVirtual, element, setListTop]);
  const [listKey] = useState(() => `${window.location.pathname} ${list.rowHeightPx}`);
  const virtualizer = useWindowVirtualizer<HTMLElement>({
    ...options,
    initialMeasurementsCache: knownHeights.get(listKey),
  });
  useLayoutEffect(
    () => () => {
      const { measurementsCache } = virtualizer;
      if (measurementsCache.length > 0) knownHeights.set(listKey, [...measurementsCache]);
    },
    [listKey, virtualizer],
  );
  return toListProps(virtualizer);
}

/**
 * `useVirtualRows` for a list in a dialog, where an element of the dialog scrolls instead of the window.
 * @param scroller selector of the dialog's element that scrolls
 */
export function useVirtualRowsIn<Row>(scroller: string, list: VirtualRowsOptions<Row>) {
  const { element, setListTop, options, toListProps } = useVirtualList(list);
  const getScrollElement = () => element.current?.closest<HTMLElement>(scroller) ?? null;
  // The offset is measured after every render, because content above the list appears and disappears.
  useLayoutEffect(() => {
    const scrollElement = getScrollElement();
    if (!element.current || !scrollElement) return;
    const { top } = element.current.getBoundingClientRect();
    setListTop(Math.round(top - scrollElement.getBoundingClientRect().top + scrollElement.scrollTop));
  });
  return toListProps(useVirtualizer<HTMLElement, HTMLElement>({ ...options, getScrollElement }));
}
