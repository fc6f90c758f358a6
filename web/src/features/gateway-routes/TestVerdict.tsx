import { Check, CircleCheck, CircleX, HelpCircle, X } from 'lucide-react';
import { CopyableText } from '../../ui/list/CopyableText';
import { routesMessages } from './gateway-routes.messages';
import type { TestRouteMutation } from './generated/gateway-routes';
import styles from './test-route.module.css';

const { testing: messages } = routesMessages;
type Verdict = TestRouteMutation['testRoute'];

const ICONS = { passed: Check, failed: X, unknown: HelpCircle };

/** The edge's answer, and the steps that led to it. */
export function TestVerdict({ verdict: { status, allowed, error, steps, target } }: { verdict: Verdict }) {
  const Icon = allowed ? CircleCheck : CircleX;
  return (
    <section className={styles.verdict} aria-label={messages.verdict}>
      <p className={styles.summary} data-allowed={allowed}>
        <Icon aria-hidden size={20} />
        <span>
          <strong>{allowed ? messages.allowed : messages.refused(status)}</strong>
          {error && <small>{error}</small>}
        </span>
      </p>
      <ol className={styles.steps}>
        {steps.map(({ step, state, detail }) => {
          const StepIcon = ICONS[state];
          return (
            <li key={step} data-state={state}>
              <StepIcon aria-label={messages.states[state]} size={16} />
              <span>
                <strong>{messages.steps[step]}</strong>
                <small>{detail}</small>
              </span>
            </li>
          );
        })}
      </ol>
      {target && (
        <div className={styles.target}>
          <p>{messages.target}</p>
          <CopyableText text={target} label={messages.copyTarget} />
        </div>
      )}
    </section>
  );
}
