import { chakra } from '@chakra-ui/react';
import type { ComponentProps } from 'react';
import { SevenTicks } from './SevenTicks';

const Ticks = chakra(SevenTicks);

/** The card on the pages of login and invitation: the logo of the studio, a heading and a form. */
export const EntryCard = ({ title, children, ...rest }: ComponentProps<'div'> & { title: string }) => (
  <chakra.div
    {...rest}
    width="100%"
    maxW="400px"
    m="clamp(16px, 8vh, 96px) auto 0"
    p={{ base: '24px 20px', sm: '8' }}
    layerStyle="panel"
    borderRadius="lg"
  >
    <Ticks width="52px" mb="5" color="brand.solid" />
    <chakra.h1 fontSize="24px" lineHeight="30px">
      {title}
    </chakra.h1>
    {children}
  </chakra.div>
);
