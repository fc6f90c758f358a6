import { useTabletScreen, useWideScreen } from '../layout/useWideScreen';
import type { Column } from './column';

/** Returns whether a list is a table in this window, else cards. Compact columns need less room; the heading may wrap. */
export function useIsTable<Row>(columns: readonly Column<Row>[]): boolean {
  const isWideScreen = useWideScreen();
  const isTablet = useTabletScreen();
  return isWideScreen || (isTablet && columns.every(({ heading, compact }) => heading || compact));
}
