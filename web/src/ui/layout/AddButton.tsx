import { Button, type ButtonProps } from '@chakra-ui/react';
import { Plus } from 'lucide-react';
import { useAccess } from '../../lib/session/access';

/** The button that adds something to a list. Viewers see it only with `forEveryone`. */
export function AddButton({ label, forEveryone, ...rest }: ButtonProps & { label: string; forEveryone?: boolean }) {
  const { canWrite } = useAccess();
  if (!canWrite && !forEveryone) return null;
  return (
    <Button {...rest}>
      <Plus aria-hidden />
      {label}
    </Button>
  );
}
