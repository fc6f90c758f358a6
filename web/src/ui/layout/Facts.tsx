import { chakra, Grid } from '@chakra-ui/react';
import type { ReactNode } from 'react';

/** A list of facts, each a term with its value, in as many columns as fit. */
export const Facts = ({ children }: { children: ReactNode }) => (
  <Grid
    as="dl"
    templateColumns="repeat(auto-fill, minmax(min(100%, 280px), 1fr))"
    rowGap="3"
    columnGap="8"
    my="4"
    // Chakra's `_last` is `:last-of-type`, which also holds if a button follows.
    css={{ '&:last-child': { marginBottom: '0' } }}
  >
    {children}
  </Grid>
);

const muted = { color: 'fg.muted', fontSize: '13px', lineHeight: '20px' };

export const Fact = ({ label, note, children }: { label: string; note?: string; children: ReactNode }) => (
  <div>
    <chakra.dt {...muted}>{label}</chakra.dt>
    <chakra.dd minH="28px" alignContent="center" lineHeight="20px" overflowWrap="anywhere">
      {children}
    </chakra.dd>
    {note && <chakra.dd {...muted}>{note}</chakra.dd>}
  </div>
);
