import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual';
import { type FocusEvent, useCallback, useLayoutEffect, useRef, useState } from 'react';

const FROM = 100;

/** One place in a long list: a row, or the room that rows which are not there would take. */
export type Place = { kind: 'row'; index: number } | { kind: 'gap'; key: string; height: number };

/**
 * Which rows of a long list to mount: those near the window, and the one that has the focus.
 * Up to 100 rows all are there.
 * @param height of a row in pixels, until it is measured
 */
export function useWindowRows<Container extends HTMLElement>(count: number, height: number) {
  const container = useRef<Container>(null);
  const [top, setTop] = useState(0);
  const [focused, setFocused] = useState<number | null>(null);
  useLayoutEffect(() => {
    if (container.current) setTop(container.current.getBoundingClientRect().top + window.scrollY);
  }, []);

  const virtualizer = useWindowVirtualizer<HTMLElement>({
    count,
    enabled: count > FROM,
    estimateSize: () => height,
    overscan: 6,
    scrollMargin: top,
    useFlushSync: false,
    rangeExtractor: useCallback(
      (range: Range) => {
        const indexes = defaultRangeExtractor(range);
        if (focused === null || focused >= range.count || indexes.includes(focused)) return indexes;
        return [...indexes, focused].sort((a, b) => a - b);
      },
      [focused],
    ),
  });

  const onFocus = (event: FocusEvent) => {
    const index = event.target.closest('[data-index]')?.getAttribute('data-index');
    setFocused(index ? Number(index) : null);
  };

  if (count <= FROM) {
    const places = Array.from({ length: count }, (_, index): Place => ({ kind: 'row', index }));
    return { container, places, measure: undefined, onFocus: undefined, virtual: false };
  }

  const places: Place[] = [];
  let end = top;
  const gap = (until: number) => {
    if (until > end) places.push({ kind: 'gap', key: `gap${end}`, height: until - end });
  };
  for (const item of virtualizer.getVirtualItems()) {
    gap(item.start);
    places.push({ kind: 'row', index: item.index });
    end = item.end;
  }
  gap(top + virtualizer.getTotalSize());
  return { container, places, measure: virtualizer.measureElement, onFocus, virtual: true };
}
