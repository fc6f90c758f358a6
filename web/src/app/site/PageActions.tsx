import { Button } from '@chakra-ui/react';
import { ArrowRightLeft, Pencil, Trash2 } from 'lucide-react';
import { uiMessages } from '../../ui/ui.messages';
import { siteMessages } from './site.messages';

interface ActionProps {
  onClick: () => void;
}

// The actions on the thing of a page have the icons of the same actions in a row (`RowAction`).

export const EditButton = ({ onClick }: ActionProps) => (
  <Button variant="outline" onClick={onClick}>
    <Pencil aria-hidden />
    {uiMessages.edit}
  </Button>
);

export const MoveButton = ({ onClick }: ActionProps) => (
  <Button variant="outline" onClick={onClick}>
    <ArrowRightLeft aria-hidden />
    {siteMessages.move}
  </Button>
);

export const RemoveButton = ({ onClick }: ActionProps) => (
  <Button variant="outline" onClick={onClick}>
    <Trash2 aria-hidden />
    {uiMessages.remove}
  </Button>
);
