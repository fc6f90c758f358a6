import { useState } from 'react';
import { Link } from 'react-router';
import { localStore } from '../../lib/browser/safeStorage';
import { polling } from '../../lib/graphql/polling';
import { useAccess } from '../../lib/session/access';
import { FirstSteps, listFirstSteps, type Step } from './FirstSteps';
import { useOverviewQuery } from './generated/overview';
import { type Issue, listIssues } from './issues';
import { overviewMessages as messages } from './overview.messages';
import styles from './overview.module.css';

/** A choice of this browser, kept in local storage as `word` under `key`. */
function useStoredChoice(key: string, word: string) {
  const [isChosen, setChosen] = useState(() => localStore.get(key) === word);
  const choose = (next: boolean) => {
    setChosen(next);
    localStore.set(key, next ? word : '');
  };
  return [isChosen, choose] as const;
}

const IssueList = ({ issues }: { issues: readonly Issue[] }) => (
  <ul>
    {issues.map(({ text, links, moreLink }) => (
      <li key={text}>
        <span>{text}</span>
        <span className={styles.links}>
          {[...links, ...(moreLink ? [moreLink] : [])].map(({ to, label, state }) => (
            <Link key={`${to} ${label}`} to={to} state={state}>
              {label}
            </Link>
          ))}
        </span>
      </li>
    ))}
  </ul>
);

interface SummaryProps {
  /** Undefined until they are loaded. */
  issues: readonly Issue[] | undefined;
  steps: readonly Step[];
}

/** The issues in one line, and how many of the first steps are done. */
const Summary = ({ issues, steps }: SummaryProps) => (
  <>
    <strong>{messages.title}</strong>
    <span data-urgent={issues?.length ? true : undefined}>
      {issues?.length === 0 ? messages.inOrder : issues?.map(({ text }) => text).join(' · ')}
    </span>
    {steps.length > 0 && <span>{messages.start.progress(steps.filter(({ done }) => done).length, steps.length)}</span>}
  </>
);

/**
 * A summary that unfolds to the issues and the first steps. Without subdomains and tenants only the first steps are
 * shown. The route has sent the query (`sendAhead`).
 */
export function Overview() {
  const { canWrite, isAdministrator } = useAccess();
  const { data: fresh, previousData } = useOverviewQuery({ fetchPolicy: 'cache-first', ...polling });
  const data = fresh ?? previousData;
  const [isOpen, setOpen] = useStoredChoice('overview', 'open');
  const [areStepsDismissed, dismissSteps] = useStoredChoice('first-steps', 'dismissed');
  const steps = data && canWrite && !areStepsDismissed ? listFirstSteps(data.overview, isAdministrator) : [];
  if (steps.length > 0 && data?.overview.subdomains === 0 && data.overview.tenants === 0)
    return <FirstSteps steps={steps} />;
  const issues = data && listIssues(data);
  const summary = <Summary issues={issues} steps={steps} />;
  if (issues?.length === 0 && steps.length === 0) {
    return (
      <section className={styles.overview} aria-label={messages.title}>
        <div className={styles.summary}>{summary}</div>
      </section>
    );
  }
  return (
    <details className={styles.overview} open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className={styles.summary} data-chevron>
        {summary}
      </summary>
      {isOpen && issues && issues.length > 0 && <IssueList issues={issues} />}
      {isOpen && steps.length > 0 && <FirstSteps steps={steps} onDismiss={() => dismissSteps(true)} />}
    </details>
  );
}
