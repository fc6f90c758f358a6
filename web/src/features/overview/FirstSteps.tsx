import { Button } from '@chakra-ui/react';
import { Link } from 'react-router';
import { paths, withParams } from '../../app/paths';
import { focusFirstField } from '../../ui/form/focusFirstField';
import { StepNumber } from '../../ui/layout/StepNumber';
import type { OverviewQuery } from './generated/overview';
import { overviewMessages } from './overview.messages';
import styles from './overview.module.css';

const messages = overviewMessages.start;

export interface Step {
  text: string;
  done: boolean;
  /** Path of the step; null for the form on the same page. */
  to: string | null;
}

/**
 * The first steps in an empty installation, or none once all are done. The settings of Telegram are open to
 * administrators only.
 */
export function listFirstSteps(overview: OverviewQuery['overview'], isAdministrator: boolean): Step[] {
  const steps: Step[] = [
    { text: messages.subdomain, done: overview.subdomains > 0, to: null },
    { text: messages.project, done: overview.projects > 0, to: withParams(paths.projects, { novo: '1' }) },
    { text: messages.tenant, done: overview.tenants > 0, to: withParams(paths.tenants, { novo: '1' }) },
  ];
  if (isAdministrator) steps.push({ text: messages.telegram, done: overview.telegram, to: paths.settings });
  return steps.every(({ done }) => done) ? [] : steps;
}

/** The steps with their links. Completed steps are ticked off. */
export function FirstSteps({ steps, onDismiss }: { steps: readonly Step[]; onDismiss?: () => void }) {
  return (
    <section className={styles.start} aria-labelledby="first-steps">
      <div className={styles.startHeader}>
        <h2 id="first-steps">{messages.title}</h2>
        {onDismiss && (
          <Button variant="ghost" size="sm" onClick={onDismiss}>
            {messages.dismiss}
          </Button>
        )}
      </div>
      <p>{messages.words}</p>
      <ol>
        {steps.map(({ text, done, to }, index) => (
          <li key={text}>
            <StepNumber number={index + 1} isDone={done} />
            {done && text}
            {!done && to === null && (
              <button type="button" onClick={focusFirstField}>
                {text}
              </button>
            )}
            {!done && to !== null && <Link to={to}>{text}</Link>}
            {done && <small>{messages.done}</small>}
          </li>
        ))}
      </ol>
    </section>
  );
}
