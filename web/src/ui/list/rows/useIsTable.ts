import { useTabletScreen, useWideScreen } from '../../layout/mediaQueries';
import type { Column } from '../column';

/** Returns whether a list is shown as a table, and not as cards. A tablet has room for a table without wide columns. */
export function useIsTable<Row>(columns: readonly Column<Row>[]): boolean {
  const isWideScreen = useWideScreen();
  const isTablet = useTabletScreen();
  return isWideScreen || (isTablet && columns.every(({ isWide }) => !isWide));
}
