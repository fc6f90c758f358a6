import { Button, type ButtonProps } from '@chakra-ui/react';
import { Plus } from 'lucide-react';
import { useAccess } from '../../lib/session/access';

/** Adds something to a list. Viewers see it only with `allowViewers`. A closing `Modal` may move the focus to it. */
export function AddButton({ label, allowViewers, ...rest }: ButtonProps & { label: string; allowViewers?: boolean }) {
  const { canWrite } = useAccess();
  if (!canWrite && !allowViewers) return null;
  return (
    <Button data-final-focus {...rest}>
      <Plus aria-hidden />
      {label}
    </Button>
  );
}
