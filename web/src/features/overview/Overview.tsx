import { useState } from 'react';
import { Link } from 'react-router';
import { localStore } from '../../lib/browser/safeStorage';
import { polling } from '../../lib/graphql/polling';
import { useAccess } from '../../lib/session/access';
import { FirstSteps, firstSteps } from './FirstSteps';
import { useOverviewQuery } from './generated/overview';
import { type Issue, issuesOf } from './issues';
import { overviewMessages as messages } from './overview.messages';
import styles from './overview.module.css';

/** Key in local storage that says whether the overview is open. */
const STORAGE_KEY = 'overview';
const OPEN = 'open';
/** Key in local storage that says whether the first steps were dismissed. */
const STEPS_KEY = 'first-steps';
const DISMISSED = 'dismissed';

const IssueList = ({ issues }: { issues: readonly Issue[] }) => (
  <ul>
    {issues.map(({ text, links, more }) => (
      <li key={text}>
        <span>{text}</span>
        <span className={styles.links}>
          {[...links, ...(more ? [more] : [])].map(({ to, label, state }) => (
            <Link key={`${to} ${label}`} to={to} state={state}>
              {label}
            </Link>
          ))}
        </span>
      </li>
    ))}
  </ul>
);

/**
 * A summary that unfolds to the issues and the first steps. Without subdomains and tenants only the first steps are
 * shown. The route has sent the query (`sendAhead`).
 */
export function Overview() {
  const { canWrite, isAdministrator } = useAccess();
  const { data: fresh, previousData } = useOverviewQuery({ fetchPolicy: 'cache-first', ...polling });
  const data = fresh ?? previousData;
  const [open, setOpen] = useState(() => localStore.get(STORAGE_KEY) === OPEN);
  const [isDismissed, setDismissed] = useState(() => localStore.get(STEPS_KEY) === DISMISSED);
  const steps = data ? firstSteps(data.overview, isAdministrator) : [];
  const done = steps.filter((step) => step.done).length;
  const hasSteps = canWrite && !isDismissed && done < steps.length;
  const dismiss = () => {
    setDismissed(true);
    localStore.set(STEPS_KEY, DISMISSED);
  };
  if (data && hasSteps && data.overview.subdomains === 0 && data.overview.tenants === 0)
    return <FirstSteps steps={steps} />;
  const issues = data && issuesOf(data);
  const summary = (
    <>
      <strong>{messages.title}</strong>
      <span data-urgent={issues && issues.length > 0 ? true : undefined}>
        {issues && (issues.length === 0 ? messages.inOrder : issues.map(({ text }) => text).join(' · '))}
      </span>
      {hasSteps && <span>{messages.start.progress(done, steps.length)}</span>}
    </>
  );
  if (issues?.length === 0 && !hasSteps) {
    return (
      <section className={styles.overview} aria-label={messages.title}>
        <div className={styles.summary}>{summary}</div>
      </section>
    );
  }
  return (
    <details
      className={styles.overview}
      open={open}
      onToggle={({ currentTarget }) => {
        setOpen(currentTarget.open);
        localStore.set(STORAGE_KEY, currentTarget.open ? OPEN : '');
      }}
    >
      <summary className={styles.summary} data-chevron>
        {summary}
      </summary>
      {open && issues && issues.length > 0 && <IssueList issues={issues} />}
      {open && hasSteps && <FirstSteps steps={steps} onDismiss={dismiss} />}
    </details>
  );
}
