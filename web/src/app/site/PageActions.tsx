import { Button } from '@chakra-ui/react';
import { ArrowRightLeft, type LucideIcon, Pencil, Trash2 } from 'lucide-react';
import { uiMessages } from '../../ui/ui.messages';
import { siteMessages } from './site.messages';

const pageAction =
  (Icon: LucideIcon, label: string) =>
  ({ onClick }: { onClick: () => void }) => (
    <Button variant="outline" onClick={onClick}>
      <Icon aria-hidden />
      {label}
    </Button>
  );

// The actions on the thing of a page have the icons of the same actions in a row (`RowAction`).
export const EditButton = pageAction(Pencil, uiMessages.edit);
export const MoveButton = pageAction(ArrowRightLeft, siteMessages.move);
export const RemoveButton = pageAction(Trash2, uiMessages.remove);
