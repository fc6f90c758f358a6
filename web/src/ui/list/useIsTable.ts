import { useTabletScreen, useWideScreen } from '../layout/useWideScreen';
import type { Column } from './column';

/** Whether a list is a table in this window, else cards. Only what is short needs less room (the heading may wrap). */
export function useIsTable<Row>(columns: readonly Column<Row>[]): boolean {
  const isWide = useWideScreen();
  const isTablet = useTabletScreen();
  return isWide || (isTablet && columns.every(({ heading, short }) => heading || short));
}
