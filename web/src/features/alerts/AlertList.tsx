import { NetworkStatus } from '@apollo/client';
import { Button } from '@chakra-ui/react';
import { Link } from 'react-router';
import { paths, withParams } from '../../app/paths';
import type { AlertKind, AlertState, Severity } from '../../generated/graph';
import { notify, notifyError } from '../../lib/notification';
import { polling } from '../../lib/polling';
import { useDialogParam } from '../../lib/useDialogParam';
import { useQueryState } from '../../lib/useQueryState';
import { Alert } from '../../ui/feedback/Alert';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { QueryState } from '../../ui/feedback/QueryState';
import { useSubmit } from '../../ui/form/useSubmit';
import { SectionHeading } from '../../ui/layout/Page';
import { WriteOnly } from '../../ui/layout/WriteOnly';
import { Chip, type ChipColor } from '../../ui/list/Chip';
import { ListFooter } from '../../ui/list/ListFooter';
import { DateTime, RelativeTime } from '../../ui/list/RelativeTime';
import { AcknowledgeDialog } from './AcknowledgeDialog';
import { alertsMessages as messages } from './alerts.messages';
import styles from './alerts.module.css';
import {
  type AlertRowFragment,
  useAlertChannelsQuery,
  useAlertsQuery,
  useMutesQuery,
  useUnmuteMutation,
} from './generated/alerts';
import { MuteDialog } from './MuteDialog';

const PAGE_SIZE = 20;
const DIALOGS = ['assumir', 'silenciar'] as const;
const COLORS: Record<Severity, ChipColor> = { critical: 'red', warning: 'orange', info: 'blue' };

export const OpenAlerts = () => (
  <>
    <ChannelNotes />
    <Alerts state="open" title={messages.list.open} empty={messages.list.noneOpen} />
    <Mutes />
  </>
);

export const AlertHistory = () => (
  <Alerts state="resolved" title={messages.list.history} empty={messages.list.noneResolved} />
);

/** Tells that no channel is configured, so that alerts reach nobody, or which channels fail. */
function ChannelNotes() {
  const { data } = useAlertChannelsQuery();
  const failing = data?.alertChannels.filter(({ enabled, failingSince }) => enabled && failingSince) ?? [];
  return (
    <>
      {data?.alertChannels.length === 0 && (
        <p className={styles.note}>
          {messages.list.noChannel}{' '}
          <WriteOnly>
            <Link to={withParams(paths.alerts, { aba: 'canais', novo: '1' })}>{messages.list.addChannel}</Link>
          </WriteOnly>
        </p>
      )}
      {failing.map(({ _id, name }) => (
        <div key={_id} className={styles.note}>
          <Alert action={<Link to={withParams(paths.alerts, { aba: 'canais' })}>{messages.list.showChannels}</Link>}>
            {messages.list.channelFails(name)}
          </Alert>
        </div>
      ))}
    </>
  );
}

/** The alerts of each kind, in the order in which the kinds come first. */
function byKind(alerts: readonly AlertRowFragment[]): [AlertKind, AlertRowFragment[]][] {
  const groups = new Map<AlertKind, AlertRowFragment[]>();
  for (const alert of alerts) groups.set(alert.kind, [...(groups.get(alert.kind) ?? []), alert]);
  return [...groups];
}

/** Alerts of one state, newest first. */
function Alerts({ state, title, empty }: { state: AlertState; title: string; empty: string }) {
  const query = useAlertsQuery({
    variables: { state, page: 1, limit: PAGE_SIZE },
    fetchPolicy: 'network-only',
    // A poll keeps the pages that were loaded by hand.
    ...polling,
  });
  const { data, state: queryState } = useQueryState(query, { fallback: messages.failure.load });
  const { alerts, total } = data?.alerts ?? { alerts: [], total: 0 };
  const dialog = useDialogParam(DIALOGS);
  const selected = alerts.find(({ _id }) => _id === dialog.id);
  const loadingMore = useSubmit({
    fallback: messages.failure.load,
    onFailure: notifyError,
    send: () =>
      query.fetchMore({
        variables: { page: Math.floor(alerts.length / PAGE_SIZE) + 1 },
        updateQuery: (loaded, { fetchMoreResult: { alerts: page } }) => ({
          alerts: { ...page, alerts: [...loaded.alerts.alerts, ...page.alerts] },
        }),
      }),
  });
  return (
    <>
      <SectionHeading title={title} />
      <QueryState {...queryState} loading={queryState.loading && query.networkStatus !== NetworkStatus.poll}>
        {alerts.length === 0 ? (
          <EmptyState text={empty} />
        ) : (
          <>
            {byKind(alerts).map(([kind, ofKind]) => (
              <section key={kind} className={styles.alerts}>
                <h3>{messages.kinds[kind]}</h3>
                <ul>
                  {ofKind.map((alert) => (
                    <AlertItem key={alert._id} alert={alert} onAct={(name) => dialog.open(name, alert._id)} />
                  ))}
                </ul>
              </section>
            ))}
            <ListFooter>
              <p role="status">{messages.list.loaded(alerts.length, total)}</p>
              {alerts.length < total && (
                <Button
                  variant="outline"
                  size="sm"
                  onClick={loadingMore.submit}
                  aria-busy={loadingMore.pending || undefined}
                >
                  {messages.list.loadMore}
                </Button>
              )}
            </ListFooter>
          </>
        )}
      </QueryState>
      {dialog.name === 'assumir' && selected && <AcknowledgeDialog alert={selected} onClose={dialog.close} />}
      {dialog.name === 'silenciar' && selected && <MuteDialog alert={selected} onClose={dialog.close} />}
    </>
  );
}

function AlertItem({ alert, onAct }: { alert: AlertRowFragment; onAct: (dialog: (typeof DIALOGS)[number]) => void }) {
  const { severity, subject, reason, since, resolvedAt, acknowledgedBy, note, machine, flapping } = alert;
  return (
    <li className={styles.alert} data-severity={alert.state === 'open' ? severity : undefined}>
      <div>
        <h4>
          {subject.name}
          <Chip color={COLORS[severity]}>{messages.severities[severity]}</Chip>
          {flapping && <Chip color="orange">{messages.list.flapping}</Chip>}
        </h4>
        <p>{reason}</p>
        <p className={styles.detail}>
          {messages.list.since} <RelativeTime at={since} />
          {resolvedAt && (
            <>
              {' '}
              {messages.list.until} <DateTime at={resolvedAt} />
            </>
          )}
          {'. '}
          {machine && messages.list.machine(machine)} <DeliverySummary alert={alert} />
        </p>
        {acknowledgedBy && <p className={styles.detail}>{messages.list.acknowledged(acknowledgedBy, note ?? null)}</p>}
      </div>
      {alert.state === 'open' && (
        <div className={styles.actions}>
          {!acknowledgedBy && (
            <Button variant="outline" size="sm" onClick={() => onAct('assumir')}>
              {messages.list.acknowledge}
            </Button>
          )}
          <Button variant="ghost" size="sm" onClick={() => onAct('silenciar')}>
            {messages.list.mute}
          </Button>
        </div>
      )}
    </li>
  );
}

/** The channels that an alert was sent to, and those that it could not be sent to. */
function DeliverySummary({ alert: { deliveries } }: { alert: AlertRowFragment }) {
  const told = [...new Set(deliveries.filter(({ state }) => state === 'sent').map(({ channel }) => channel))];
  const failed = [...new Set(deliveries.filter(({ lastError }) => lastError).map(({ channel }) => channel))];
  const notTold = failed.filter((channel) => !told.includes(channel));
  return (
    <>
      {told.length > 0 ? messages.list.told(told.join(', ')) : messages.list.notTold}
      {notTold.length > 0 && ` ${messages.list.failed(notTold.join(', '))}`}
    </>
  );
}

/** Mutes in force, each with a way to end it. */
function Mutes() {
  const { data, refetch } = useMutesQuery();
  const [unmute] = useUnmuteMutation();
  if (!data || data.mutes.length === 0) return null;
  const end = async (id: string) => {
    try {
      await unmute({ variables: { id } });
      await refetch();
      notify(messages.mutes.ended);
    } catch {
      notify(messages.mutes.failure, { color: 'error' });
    }
  };
  return (
    <section className={styles.mutes}>
      <SectionHeading title={messages.mutes.title} />
      <ul>
        {data.mutes.map(({ _id, kind, subject, until, reason }) => (
          <li key={_id}>
            <span>
              {messages.mutes.text(messages.subjects[subject.type], kind ? messages.kinds[kind] : null)}, {reason} (
              {messages.list.until} <DateTime at={until} />)
            </span>
            <Button variant="ghost" size="sm" onClick={() => void end(_id)}>
              {messages.mutes.end}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
