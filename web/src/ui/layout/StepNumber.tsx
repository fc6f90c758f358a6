import { Center } from '@chakra-ui/react';
import { Check } from 'lucide-react';

interface StepNumberProps {
  number: number;
  isDone: boolean;
  isCurrent?: boolean;
  isSmall?: boolean;
}

/** The number of a step in a circle; a done step has a tick. */
export const StepNumber = ({ number, isDone, isCurrent = false, isSmall = false }: StepNumberProps) => (
  <Center
    as="span"
    aria-hidden
    flex="none"
    boxSize={isSmall ? '5' : '6'}
    borderWidth="1px"
    borderColor={isDone || isCurrent ? 'brand.solid' : 'border.input'}
    borderRadius="full"
    bg={isDone || isCurrent ? 'brand.solid' : undefined}
    color={isDone || isCurrent ? 'brand.contrast' : undefined}
    fontSize="12px"
    fontVariantNumeric="tabular-nums"
  >
    {isDone ? <Check size={14} /> : number}
  </Center>
);
