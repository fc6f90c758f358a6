import {
  ArrowDown,
  ArrowRightLeft,
  ArrowUp,
  Check,
  ChevronsUpDown,
  Copy,
  Download,
  ExternalLink,
  Eye,
  FileDiff,
  FlaskConical,
  MailCheck,
  Pencil,
  Power,
  RefreshCw,
  Reply,
  RotateCcwKey,
  Route,
  ScrollText,
  Star,
  Trash2,
  Undo2,
  Users,
} from 'lucide-react';

/**
 * Icons in the rows and column headers of lists. The build writes them into a stylesheet (`icon-css.ts`). An element
 * names its icon in `data-icon`, so that a row needs no SVG elements.
 */
export const rowIcons = {
  arrows: ArrowRightLeft,
  ascending: ArrowUp,
  check: Check,
  copy: Copy,
  descending: ArrowDown,
  download: Download,
  external: ExternalLink,
  eye: Eye,
  diff: FileDiff,
  flask: FlaskConical,
  key: RotateCcwKey,
  mail: MailCheck,
  pencil: Pencil,
  power: Power,
  refresh: RefreshCw,
  reply: Reply,
  route: Route,
  scroll: ScrollText,
  sortable: ChevronsUpDown,
  star: Star,
  trash: Trash2,
  undo: Undo2,
  users: Users,
};

export type RowIcon = keyof typeof rowIcons;
