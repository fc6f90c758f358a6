import { chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';

export const Note = ({ children }: { children: ReactNode }) => (
  <chakra.p mt="2" textStyle="xs" color="fg.muted">
    {children}
  </chakra.p>
);
