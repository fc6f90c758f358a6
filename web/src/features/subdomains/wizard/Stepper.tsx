import { VisuallyHidden } from '@chakra-ui/react';
import { StepNumber } from '../../../ui/layout/StepNumber';
import { subdomainsMessages } from '../subdomains.messages';
import styles from '../subdomains.module.css';

const { steps } = subdomainsMessages;

/** The steps of the wizard, as a plain list. Screen readers announce the roles of Chakra's Steps wrongly. */
export function Stepper({ step }: { step: number }) {
  return (
    <ol className={styles.stepper} aria-label={steps.label}>
      {steps.names.map((name, index) => {
        const number = index + 1;
        const isDone = number < step;
        return (
          <li key={name} aria-current={number === step ? 'step' : undefined}>
            <StepNumber number={number} isDone={isDone} isCurrent={number === step} />
            {name}
            {isDone && <VisuallyHidden>{steps.done}</VisuallyHidden>}
          </li>
        );
      })}
    </ol>
  );
}
