import { useMinWidth } from '../../layout/mediaQueries';
import type { Column } from '../column';

/** Widths from which every table fits, and a table without wide columns. `List.module.css` has the same limits. */
const EVERY_TABLE_PX = 880;
const NARROW_TABLE_PX = 768;

/** Returns whether a list is shown as a table, and not as cards. */
export function useIsTable<Row>(columns: readonly Column<Row>[]): boolean {
  const fitsEveryTable = useMinWidth(EVERY_TABLE_PX);
  const fitsNarrowTable = useMinWidth(NARROW_TABLE_PX);
  return fitsEveryTable || (fitsNarrowTable && columns.every(({ isWide }) => !isWide));
}
