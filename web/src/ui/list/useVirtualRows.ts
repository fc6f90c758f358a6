import { defaultRangeExtractor, type Range, useVirtualizer, useWindowVirtualizer } from '@tanstack/react-virtual';
import { type FocusEvent, useCallback, useLayoutEffect, useRef, useState } from 'react';

/** Up to so many rows all are mounted. */
const MAX_MOUNTED = 100;
/** Rows above and below what is seen. */
const OVERSCAN = 6;

/** A part of a long list: a mounted row, or the height of rows that are not mounted. */
export type ListPart = { kind: 'row'; index: number } | { kind: 'spacer'; key: string; heightPx: number };

/** The rows that stay mounted wherever the list is scrolled to: the one with the focus, and one that is asked for. */
function useKeptRows(pinned: number) {
  const [focused, setFocused] = useState(-1);
  const onFocus = (event: FocusEvent) => {
    const index = event.target.closest('[data-index]')?.getAttribute('data-index');
    setFocused(index ? Number(index) : -1);
  };
  const rangeExtractor = useCallback(
    (range: Range) => {
      const indexes = new Set(defaultRangeExtractor(range));
      for (const kept of [focused, pinned]) if (kept >= 0 && kept < range.count) indexes.add(kept);
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

/** @param top where the list begins in what scrolls, in pixels */
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

/**
 * Which rows of a long list to mount: those near the window, and the one that has the focus.
 * @param rowHeightPx until a row is measured
 */
export function useVirtualRows<Container extends HTMLElement>(count: number, rowHeightPx: number) {
  const container = useRef<Container>(null);
  const [top, setTop] = useState(0);
  const { onFocus, rangeExtractor } = useKeptRows(-1);
  const isVirtual = count > MAX_MOUNTED;
  // Measuring lays the page out at once, which a list that is there as a whole does not need.
  useLayoutEffect(() => {
    if (isVirtual && container.current) setTop(container.current.getBoundingClientRect().top + window.scrollY);
  }, [isVirtual]);
  const virtualizer = useWindowVirtualizer<HTMLElement>({
    count,
    enabled: isVirtual,
    estimateSize: () => rowHeightPx,
    overscan: OVERSCAN,
    scrollMargin: top,
    useFlushSync: false,
    rangeExtractor,
  });
  return isVirtual
    ? { container, parts: layOut(virtualizer, top), measure: virtualizer.measureElement, onFocus, isVirtual }
    : { container, parts: allRows(count), measure: undefined, onFocus: undefined, isVirtual };
}

/**
 * The same in a dialog, whose own element scrolls.
 * @param scroller selects it among what the list lies in
 * @param pinned index of a row that must be there, such as the first that was refused; -1 for none
 */
export function useVirtualRowsIn<Container extends HTMLElement>(
  scroller: string,
  count: number,
  rowHeightPx: number,
  pinned: number,
) {
  const container = useRef<Container>(null);
  const [top, setTop] = useState(0);
  const { onFocus, rangeExtractor } = useKeptRows(pinned);
  const getScrollElement = () => container.current?.closest<HTMLElement>(scroller) ?? null;
  const isVirtual = count > MAX_MOUNTED;
  // Each time: what stands above the list comes and goes.
  useLayoutEffect(() => {
    const element = getScrollElement();
    if (!container.current || !element) return;
    const { top: start } = container.current.getBoundingClientRect();
    setTop(Math.round(start - element.getBoundingClientRect().top + element.scrollTop));
  });
  const virtualizer = useVirtualizer<HTMLElement, HTMLElement>({
    count,
    enabled: isVirtual,
    getScrollElement,
    estimateSize: () => rowHeightPx,
    overscan: OVERSCAN,
    scrollMargin: top,
    useFlushSync: false,
    rangeExtractor,
  });
  return isVirtual
    ? { container, parts: layOut(virtualizer, top), measure: virtualizer.measureElement, onFocus, isVirtual }
    : { container, parts: allRows(count), measure: undefined, onFocus: undefined, isVirtual };
}
