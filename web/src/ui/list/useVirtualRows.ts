import {
  defaultRangeExtractor,
  type Range,
  useVirtualizer,
  useWindowVirtualizer,
  type VirtualItem,
} from '@tanstack/react-virtual';
import { type FocusEvent, useCallback, useLayoutEffect, useRef, useState } from 'react';

/** A shorter list is mounted as a whole. The first page of a long list has 100 rows. */
const MIN_VIRTUAL = 100;
/** Rows that are mounted above and below the window. */
const OVERSCAN = 6;

/** A part of a long list: a mounted row, or the height of rows that are not mounted. */
type ListPart = { kind: 'row'; index: number } | { kind: 'spacer'; key: string; heightPx: number };

/**
 * Keeps the pinned row, the row with the focus and its neighbours mounted wherever the list is scrolled to. Tab would
 * skip neighbours that are not mounted.
 */
function useKeptRows(pinned: number) {
  const [focused, setFocused] = useState(-1);
  const onFocus = (event: FocusEvent) => {
    const index = event.target.closest('[data-index]')?.getAttribute('data-index');
    setFocused(index ? Number(index) : -1);
  };
  const rangeExtractor = useCallback(
    (range: Range) => {
      const indexes = new Set(defaultRangeExtractor(range));
      const besideFocus = focused < 0 ? [] : [focused - 1, focused, focused + 1];
      for (const kept of [...besideFocus, pinned]) if (kept >= 0 && kept < range.count) indexes.add(kept);
      return [...indexes].sort((a, b) => a - b);
    },
    [focused, pinned],
  );
  return { onFocus, rangeExtractor };
}

interface Virtualizer {
  getVirtualItems: () => readonly { index: number; start: number; end: number }[];
  getTotalSize: () => number;
}

/** @param top offset of the list in its scroll container, in pixels */
function layOut(virtualizer: Virtualizer, top: number): ListPart[] {
  const parts: ListPart[] = [];
  let end = top;
  const addSpacer = (until: number) => {
    if (until > end) parts.push({ kind: 'spacer', key: `spacer${end}`, heightPx: until - end });
  };
  for (const item of virtualizer.getVirtualItems()) {
    addSpacer(item.start);
    parts.push({ kind: 'row', index: item.index });
    end = item.end;
  }
  addSpacer(top + virtualizer.getTotalSize());
  return parts;
}

const allRows = (count: number): ListPart[] => Array.from({ length: count }, (_, index) => ({ kind: 'row', index }));

interface VirtualRowsOptions {
  count: number;
  rowHeightPx: number;
  /** Index of a row that stays mounted, such as the first invalid one; -1 for none. */
  pinned: number;
}

/** The part that lists in the window and lists in a dialog share. `setTop` stores the offset of the list in its scroll container. */
function useParts<Container extends HTMLElement>({ count, rowHeightPx, pinned }: VirtualRowsOptions) {
  const container = useRef<Container>(null);
  const [top, setTop] = useState(0);
  const { onFocus, rangeExtractor } = useKeptRows(pinned);
  const isVirtual = count >= MIN_VIRTUAL;
  const options = {
    count,
    enabled: isVirtual,
    estimateSize: () => rowHeightPx,
    overscan: OVERSCAN,
    scrollMargin: top,
    useFlushSync: false,
    rangeExtractor,
  };
  const partsOf = (virtualizer: Virtualizer & { measureElement: (element: HTMLElement | null) => void }) =>
    isVirtual
      ? { container, parts: layOut(virtualizer, top), measure: virtualizer.measureElement, onFocus, isVirtual }
      : { container, parts: allRows(count), measure: undefined, onFocus: undefined, isVirtual };
  return { container, isVirtual, setTop, options, partsOf };
}

/** Heights of the rows by screen, so that the way back to a list leads to the row that it was left at. */
const knownHeights = new Map<string, VirtualItem[]>();

/**
 * Returns the rows of a long list to mount: those near the window, the one with the focus and its neighbours.
 * @param rowHeightPx height of a row that is not measured yet
 */
export function useVirtualRows<Container extends HTMLElement>(count: number, rowHeightPx: number) {
  const { container, isVirtual, setTop, options, partsOf } = useParts<Container>({ count, rowHeightPx, pinned: -1 });
  // A list without virtual rows needs no measuring, which would force a layout.
  useLayoutEffect(() => {
    if (!isVirtual) return;
    const measure = () => {
      if (container.current) setTop(Math.round(container.current.getBoundingClientRect().top + window.scrollY));
    };
    measure();
    // Content above the list appears and disappears.
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [isVirtual, container, setTop]);
  const [screen] = useState(() => `${window.location.pathname} ${rowHeightPx}`);
  const virtualizer = useWindowVirtualizer<HTMLElement>({
    ...options,
    initialMeasurementsCache: knownHeights.get(screen),
  });
  useLayoutEffect(
    () => () => {
      const { measurementsCache } = virtualizer;
      if (measurementsCache.length > 0) knownHeights.set(screen, [...measurementsCache]);
    },
    [screen, virtualizer],
  );
  return partsOf(virtualizer);
}

/**
 * `useVirtualRows` for a list in a dialog, which is the scroll container.
 * @param scroller selector of the dialog's element that scrolls
 */
export function useVirtualRowsIn<Container extends HTMLElement>(scroller: string, rows: VirtualRowsOptions) {
  const { container, setTop, options, partsOf } = useParts<Container>(rows);
  const getScrollElement = () => container.current?.closest<HTMLElement>(scroller) ?? null;
  // After every render, because content above the list appears and disappears.
  useLayoutEffect(() => {
    const element = getScrollElement();
    if (!container.current || !element) return;
    const { top: start } = container.current.getBoundingClientRect();
    setTop(Math.round(start - element.getBoundingClientRect().top + element.scrollTop));
  });
  return partsOf(useVirtualizer<HTMLElement, HTMLElement>({ ...options, getScrollElement }));
}
