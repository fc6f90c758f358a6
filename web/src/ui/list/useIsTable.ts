import { useTabletScreen, useWideScreen } from '../layout/useWideScreen';
import type { Column } from './column';

/**
 * Returns whether a list is shown as a table in this window; otherwise it is shown as cards. A medium window has room
 * for compact columns only. The column of the heading may wrap.
 */
export function useIsTable<Row>(columns: readonly Column<Row>[]): boolean {
  const isWideScreen = useWideScreen();
  const isTablet = useTabletScreen();
  return isWideScreen || (isTablet && columns.every(({ heading, compact }) => heading || compact));
}
