import { Button, type ButtonProps } from '@chakra-ui/react';
import { Plus } from 'lucide-react';

/** The button that adds something to a list. */
export const AddButton = ({ label, ...rest }: ButtonProps & { label: string }) => (
  <Button {...rest}>
    <Plus aria-hidden />
    {label}
  </Button>
);
