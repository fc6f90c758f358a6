import { Check } from 'lucide-react';
import { Link } from 'react-router';
import { paths, withParams } from '../../app/paths';
import { focusFirstField } from '../../ui/form/Form';
import type { OverviewQuery } from './generated/overview';
import { overviewMessages } from './overview.messages';
import styles from './overview.module.css';

const messages = overviewMessages.start;

/** What to set up in an empty installation, each step with its link. */
export function FirstSteps({ overview }: { overview: OverviewQuery['overview'] }) {
  const steps = [
    { text: messages.subdomain, done: overview.subdomains > 0, to: null },
    { text: messages.project, done: overview.projects > 0, to: withParams(paths.projects, { novo: '1' }) },
    { text: messages.tenant, done: overview.tenants > 0, to: withParams(paths.tenants, { novo: '1' }) },
    { text: messages.telegram, done: overview.telegram, to: paths.settings },
  ];
  return (
    <section className={styles.start} aria-labelledby="first-steps">
      <h2 id="first-steps">{messages.title}</h2>
      <ol>
        {steps.map(({ text, done, to }, index) => (
          <li key={text} data-done={done || undefined}>
            <span aria-hidden>{done ? <Check size={14} /> : index + 1}</span>
            {to === null ? (
              <button type="button" onClick={focusFirstField}>
                {text}
              </button>
            ) : (
              <Link to={to}>{text}</Link>
            )}
            {done && <small>{messages.done}</small>}
          </li>
        ))}
      </ol>
    </section>
  );
}
