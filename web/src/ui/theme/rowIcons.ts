import {
  Activity,
  ArrowRightLeft,
  Check,
  Copy,
  Download,
  ExternalLink,
  FlaskConical,
  Pencil,
  Power,
  RefreshCw,
  Reply,
  RotateCcwKey,
  Route,
  Star,
  Trash2,
  Undo2,
  Users,
} from 'lucide-react';

/**
 * Icons in the rows of lists. The build writes them into a stylesheet (`icon-css.ts`). An element names its icon in
 * `data-icon`, so that a row needs no SVG elements.
 */
export const rowIcons = {
  activity: Activity,
  arrows: ArrowRightLeft,
  check: Check,
  copy: Copy,
  download: Download,
  external: ExternalLink,
  flask: FlaskConical,
  key: RotateCcwKey,
  pencil: Pencil,
  power: Power,
  refresh: RefreshCw,
  reply: Reply,
  route: Route,
  star: Star,
  trash: Trash2,
  undo: Undo2,
  users: Users,
};

export type RowIcon = keyof typeof rowIcons;
