import { Button } from '@chakra-ui/react';
import { ArrowRightLeft, type LucideIcon, Pencil, Trash2 } from 'lucide-react';
import { uiMessages } from '../../ui/ui.messages';
import { siteMessages } from './site.messages';

const createPageAction =
  (Icon: LucideIcon, label: string) =>
  ({ onClick }: { onClick: () => void }) => (
    <Button variant="outline" onClick={onClick}>
      <Icon aria-hidden />
      {label}
    </Button>
  );

// The actions of an entity's page have the same icons as in the rows of lists (`RowAction`).
export const EditButton = createPageAction(Pencil, uiMessages.edit);
export const MoveButton = createPageAction(ArrowRightLeft, siteMessages.move);
export const RemoveButton = createPageAction(Trash2, uiMessages.remove);
