import {
  ArrowRightLeft,
  Check,
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
 * Icons in the rows of lists. The build writes them into a stylesheet (`icon-css.ts`). An element names its icon in
 * `data-icon`, so that a row needs no SVG elements.
 */
export const rowIcons = {
  arrows: ArrowRightLeft,
  check: Check,
  copy: Copy,
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
  star: Star,
  trash: Trash2,
  undo: Undo2,
  users: Users,
};

export type RowIcon = keyof typeof rowIcons;
