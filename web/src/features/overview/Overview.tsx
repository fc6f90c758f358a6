import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { paths, withParams } from '../../app/paths';
import { localStore } from '../../lib/storage';
import { whenIdle } from '../../lib/whenIdle';
import { FirstSteps } from './FirstSteps';
import { type ConcernedRowFragment, type OverviewQuery, useOverviewQuery } from './generated/overview';
import { overviewMessages as messages } from './overview.messages';
import styles from './overview.module.css';

/** In local storage: whether the overview is open. */
const STORAGE_KEY = 'overview';
const OPEN = 'open';

interface Issue {
  text: string;
  links: { to: string; label: string }[];
  /** How many more there are than links. */
  more: number;
}

/** What needs an administrator's attention, the most urgent first. */
function issuesOf({ overview }: OverviewQuery): Issue[] {
  const hostIssue = (
    { total, first }: ConcernedRowFragment,
    textOf: (count: number) => string,
    to: (host: (typeof first)[number]) => string,
  ) =>
    total > 0
      ? [
          {
            text: textOf(total),
            links: first.map((host) => ({ to: to(host), label: host.name })),
            more: total - first.length,
          },
        ]
      : [];
  const countIssue = (count: number, textOf: (count: number) => string, to: string, label: string) =>
    count > 0 ? [{ text: textOf(count), links: [{ to, label }], more: 0 }] : [];
  const domainDialog = ({ id }: { id: string }) => withParams(paths.tenants, { dominio: id });
  return [
    ...hostIssue(overview.subdomainsDown, messages.subdomainsDown, ({ name }) =>
      withParams(paths.subdomains, { q: name }),
    ),
    ...hostIssue(overview.tenantsDown, messages.tenantsDown, ({ name }) => withParams(paths.tenants, { q: name })),
    ...hostIssue(overview.domainsWaiting, messages.domainsWaiting, domainDialog),
    ...hostIssue(overview.certificatesEnding, messages.certificatesEnding, domainDialog),
    ...countIssue(overview.faults, messages.faults, paths.gatewayMetrics, messages.showMetrics),
    ...countIssue(
      overview.unread,
      messages.unread,
      withParams(paths.settings, { aba: 'mensagens' }),
      messages.showMessages,
    ),
  ];
}

/** A summary of issues that opens into their list; the first steps while there are no subdomains and tenants. Loads when the page is idle. */
export function Overview() {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => {
    let isMounted = true;
    void whenIdle().then(() => isMounted && setIdle(true));
    return () => {
      isMounted = false;
    };
  }, []);
  const { data } = useOverviewQuery({ skip: !isIdle, fetchPolicy: 'cache-and-network' });
  const [open, setOpen] = useState(() => localStore.get(STORAGE_KEY) === OPEN);
  if (data && data.overview.subdomains === 0 && data.overview.tenants === 0)
    return <FirstSteps overview={data.overview} />;
  const issues = data && issuesOf(data);
  return (
    <details
      className={styles.overview}
      open={open}
      onToggle={({ currentTarget }) => {
        setOpen(currentTarget.open);
        localStore.set(STORAGE_KEY, currentTarget.open ? OPEN : '');
      }}
    >
      <summary>
        <strong>{messages.title}</strong>
        <span data-urgent={issues && issues.length > 0 ? true : undefined}>
          {issues && (issues.length === 0 ? messages.inOrder : issues.map(({ text }) => text).join(' · '))}
        </span>
      </summary>
      {issues && issues.length > 0 && (
        <ul>
          {issues.map(({ text, links, more }) => (
            <li key={text}>
              <span>{text}</span>
              <span className={styles.links}>
                {links.map(({ to, label }) => (
                  <Link key={`${to} ${label}`} to={to}>
                    {label}
                  </Link>
                ))}
                {more > 0 && <small>{messages.more(more)}</small>}
              </span>
            </li>
          ))}
        </ul>
      )}
    </details>
  );
}
