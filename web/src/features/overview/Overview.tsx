import { useState } from 'react';
import { Link } from 'react-router';
import { paths, subdomainPath, tenantPath, withParams } from '../../app/paths';
import { useAccess } from '../../lib/access';
import { siteHost } from '../../lib/host';
import { polling } from '../../lib/polling';
import { localStore } from '../../lib/safeStorage';
import { requestsState } from '../../lib/useShowRequests';
import { FirstSteps, firstSteps } from './FirstSteps';
import { type ConcernedRowFragment, type OverviewQuery, useOverviewQuery } from './generated/overview';
import { overviewMessages as messages } from './overview.messages';
import styles from './overview.module.css';

/** Key in local storage of whether the overview is open. */
const STORAGE_KEY = 'overview';
const OPEN = 'open';
/** Key in local storage of whether the first steps were dismissed. */
const STEPS_KEY = 'first-steps';
const DISMISSED = 'dismissed';

interface Issue {
  text: string;
  links: { to: string; label: string; state?: ReturnType<typeof requestsState> }[];
  /** The rest of a list of which only the first few have links. */
  more?: Issue['links'][number];
}

type ServerErrorHost = OverviewQuery['overview']['serverErrorHosts'][number];

/** The last requests of a host that were answered with 5xx. */
function serverErrorLink({ kind, id, name }: ServerErrorHost): Issue['links'][number] {
  const status = { status: '5xx' };
  if (kind === 'subdomain' && id && name) {
    const to = withParams(paths.subdomains, { requisicoes: `subdominio-${id}`, ...status });
    return { to, label: name, state: requestsState(siteHost(name)) };
  }
  if (kind === 'tenant' && id && name) {
    const to = withParams(paths.tenants, { requisicoes: `tenant-${id}`, ...status });
    return { to, label: name, state: requestsState(name) };
  }
  return { to: withParams(paths.subdomains, { requisicoes: 'todas', ...status }), label: messages.showRequests };
}

/** The issues that need an administrator's attention, the most urgent first. */
function issuesOf({ overview }: OverviewQuery): Issue[] {
  const hostIssue = (
    { total, first }: ConcernedRowFragment,
    textOf: (count: number) => string,
    all: string,
    to: (host: (typeof first)[number]) => string,
  ): Issue[] =>
    total > 0
      ? [
          {
            text: textOf(total),
            links: first.map((host) => ({ to: to(host), label: host.name })),
            more: total > first.length ? { to: all, label: messages.more(total - first.length) } : undefined,
          },
        ]
      : [];
  const countIssue = (count: number, textOf: (count: number) => string, links: Issue['links']): Issue[] =>
    count > 0 ? [{ text: textOf(count), links }] : [];
  const domainDialog = ({ id }: { id: string }) => withParams(paths.tenants, { dominio: id });
  return [
    ...hostIssue(
      overview.subdomainsDown,
      messages.subdomainsDown,
      withParams(paths.subdomains, { filtro: 'down' }),
      ({ name }) => subdomainPath(name),
    ),
    ...hostIssue(overview.tenantsDown, messages.tenantsDown, paths.tenants, ({ id }) => tenantPath(id)),
    ...countIssue(overview.alerts, messages.alerts, [{ to: paths.alerts, label: messages.showAlerts }]),
    ...hostIssue(overview.domainsWaiting, messages.domainsWaiting, paths.tenants, domainDialog),
    ...hostIssue(overview.certificatesEnding, messages.certificatesEnding, paths.tenants, domainDialog),
    ...hostIssue(
      overview.tokensEnding,
      messages.tokensEnding,
      withParams(paths.settings, { aba: 'tokens' }),
      ({ name }) => withParams(paths.settings, { aba: 'tokens', q: name }),
    ),
    ...countIssue(overview.recentServerErrors, messages.serverErrors, overview.serverErrorHosts.map(serverErrorLink)),
    ...countIssue(overview.unread, messages.unread, [
      { to: withParams(paths.settings, { aba: 'mensagens' }), label: messages.showMessages },
    ]),
  ];
}

/**
 * A summary of issues and of the first steps that opens into both; the first steps alone while there are no subdomains and
 * tenants. The route has sent the query (`sendAhead`).
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
      {open && issues && issues.length > 0 && (
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
      )}
      {open && hasSteps && <FirstSteps steps={steps} onDismiss={dismiss} />}
    </details>
  );
}
