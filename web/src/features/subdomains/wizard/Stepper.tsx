import { chakra, Flex, VisuallyHidden } from '@chakra-ui/react';
import { StepNumber } from '../../../ui/layout/StepNumber';
import { subdomainsMessages } from '../subdomains.messages';

const { steps } = subdomainsMessages;

/** The steps of the wizard, as a plain list. Screen readers announce the roles of Chakra's Steps wrongly. */
export function Stepper({ step, isCompact }: { step: number; isCompact: boolean }) {
  return (
    <Flex as="ol" wrap="wrap" rowGap="2" columnGap="6" fontSize="13px" fontWeight="medium" aria-label={steps.label}>
      {steps.names.map((name, index) => {
        const number = index + 1;
        const isDone = number < step;
        return (
          <chakra.li
            key={name}
            display="flex"
            alignItems="center"
            gap="2"
            color={number === step ? 'fg' : 'fg.muted'}
            aria-current={number === step ? 'step' : undefined}
          >
            <StepNumber number={number} isDone={isDone} isCurrent={number === step} isSmall={isCompact} />
            {name}
            {isDone && <VisuallyHidden>{steps.done}</VisuallyHidden>}
          </chakra.li>
        );
      })}
    </Flex>
  );
}
