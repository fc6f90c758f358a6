import { chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';

/** A paragraph of small, muted text. */
export const Note = ({ children }: { children: ReactNode }) => (
  <chakra.p mt="2" color="fg.muted" fontSize="13px">
    {children}
  </chakra.p>
);
