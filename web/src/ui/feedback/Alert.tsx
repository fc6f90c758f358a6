import { Alert as ChakraAlert } from '@chakra-ui/react';
import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

/**
 * An inline error, which screen readers announce at once. `note` is a second message. `action` offers a way out,
 * such as a retry.
 */
export function Alert({ children, note, action }: { children: ReactNode; note?: string; action?: ReactNode }) {
  return (
    <ChakraAlert.Root role="alert">
      <ChakraAlert.Indicator>
        <CircleAlert aria-hidden />
      </ChakraAlert.Indicator>
      <ChakraAlert.Content>
        <ChakraAlert.Title>{children}</ChakraAlert.Title>
        {note && <ChakraAlert.Description>{note}</ChakraAlert.Description>}
      </ChakraAlert.Content>
      {action}
    </ChakraAlert.Root>
  );
}
