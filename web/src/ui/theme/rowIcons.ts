import {
  Activity,
  ArrowRightLeft,
  Check,
  Copy,
  Download,
  FlaskConical,
  Pencil,
  Power,
  RefreshCw,
  Reply,
  RotateCcwKey,
  Route,
  Trash2,
  Undo2,
  Users,
} from 'lucide-react';

/**
 * Icons of what repeats with every row of a list. The build writes them into a stylesheet (`icon-css.ts`): an element wears one
 * as `data-icon`, and none costs an element of its own.
 */
export const rowIcons = {
  activity: Activity,
  arrows: ArrowRightLeft,
  check: Check,
  copy: Copy,
  download: Download,
  flask: FlaskConical,
  key: RotateCcwKey,
  pencil: Pencil,
  power: Power,
  refresh: RefreshCw,
  reply: Reply,
  route: Route,
  trash: Trash2,
  undo: Undo2,
  users: Users,
};

export type RowIcon = keyof typeof rowIcons;
