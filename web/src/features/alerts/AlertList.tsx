import { NetworkStatus } from '@apollo/client';
import { Button, chakra, Flex, Grid } from '@chakra-ui/react';
import { Link } from 'react-router';
import { paths, subdomainPath, tenantPath, withParams } from '../../app/paths';
import type { AlertKind, AlertState, Severity, SubjectType } from '../../generated/graph';
import { polling } from '../../lib/graphql/polling';
import { useQueryState } from '../../lib/graphql/useQueryState';
import { notify, notifyFailure } from '../../lib/notifications/notification';
import { useDialogParam } from '../../lib/routing/useDialogParam';
import { useAccess } from '../../lib/session/access';
import { Alert } from '../../ui/feedback/Alert';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { QueryState } from '../../ui/feedback/QueryState';
import { useSubmit } from '../../ui/form/useSubmit';
import { SectionHeading } from '../../ui/layout/Page';
import { WriteOnly } from '../../ui/layout/WriteOnly';
import { ListFooter } from '../../ui/list/ListFooter';
import { Chip, type ChipColor } from '../../ui/row/Chip';
import { DateTime, RelativeTime } from '../../ui/row/RelativeTime';
import rowStyles from '../../ui/row/rows.module.css';
import { AcknowledgeDialog } from './AcknowledgeDialog';
import { alertsMessages as messages } from './alerts.messages';
import {
  type AlertRowFragment,
  type MuteRowFragment,
  useAlertChannelsQuery,
  useAlertsQuery,
  useMutesQuery,
  useUnmuteMutation,
} from './generated/alerts';
import { MuteDialog } from './MuteDialog';

const PAGE_SIZE = 20;
const DIALOGS = ['assumir', 'silenciar'] as const;
const COLORS: Record<Severity, ChipColor> = { critical: 'red', warning: 'orange', info: 'blue' };
const EDGES: Record<Severity, string> = { critical: 'red.fg', warning: 'orange.fg', info: 'transparent' };
const PATHS: Partial<Record<SubjectType, (id: string) => string>> = { subdomain: subdomainPath, tenant: tenantPath };
/** Buttons have the size of a touch target on a phone. */
const touchTargetCss = { '& > button': { minHeight: { base: '44px', md: '9' } } };

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

/** Notes that alerts reach nobody because no channel is configured, or that channels fail. */
function ChannelNotes() {
  const { isAdministrator } = useAccess();
  const { data } = useAlertChannelsQuery();
  const failingChannels = data?.alertChannels.filter(({ enabled, failingSince }) => enabled && failingSince) ?? [];
  return (
    <>
      {data?.alertChannels.length === 0 && (
        <chakra.p layerStyle="warning" mb="4">
          {messages.list.noChannel}{' '}
          {isAdministrator && (
            <Link className={rowStyles.link} to={withParams(paths.alerts, { aba: 'canais', novo: '1' })}>
              {messages.list.addChannel}
            </Link>
          )}
        </chakra.p>
      )}
      {failingChannels.map(({ _id, name }) => (
        <chakra.div key={_id} mb="4">
          <Alert
            action={
              <Link className={rowStyles.link} to={withParams(paths.alerts, { aba: 'canais' })}>
                {messages.list.showChannels}
              </Link>
            }
          >
            {messages.list.channelFails(name)}
          </Alert>
        </chakra.div>
      ))}
    </>
  );
}

/** Groups alerts by kind. The groups have the order of their first alerts. */
function groupByKind(alerts: readonly AlertRowFragment[]): [AlertKind, AlertRowFragment[]][] {
  const groups = new Map<AlertKind, AlertRowFragment[]>();
  for (const alert of alerts) groups.set(alert.kind, [...(groups.get(alert.kind) ?? []), alert]);
  return [...groups];
}

/** Whether a mute suppresses the messages of an alert. */
const isMuteOf = ({ kind, subject }: MuteRowFragment, alert: AlertRowFragment): boolean =>
  subject.type === alert.subject.type && subject.id === alert.subject.id && (!kind || kind === alert.kind);

/** Alerts of one state, newest first. */
function Alerts({ state, title, empty }: { state: AlertState; title: string; empty: string }) {
  const query = useAlertsQuery({
    variables: { state, page: 1, limit: PAGE_SIZE },
    fetchPolicy: 'network-only',
    // A poll or a refetch keeps the pages that the user has loaded.
    refetchWritePolicy: 'merge',
    ...polling,
  });
  const { data, state: queryState } = useQueryState(query, { fallback: messages.failure.load });
  const { alerts, total } = data?.alerts ?? { alerts: [], total: 0 };
  const mutes = useMutesQuery({ skip: state !== 'open' }).data?.mutes ?? [];
  const dialog = useDialogParam(DIALOGS);
  const selected = alerts.find(({ _id }) => _id === dialog.id);
  const loadingMore = useSubmit({
    fallback: messages.failure.load,
    send: () => query.fetchMore({ variables: { page: Math.floor(alerts.length / PAGE_SIZE) + 1 } }),
  });
  return (
    <>
      <SectionHeading title={title} />
      <QueryState {...queryState} loading={queryState.loading && query.networkStatus !== NetworkStatus.poll}>
        {alerts.length === 0 ? (
          <EmptyState text={empty} />
        ) : (
          <>
            {groupByKind(alerts).map(([kind, alertsOfKind]) => (
              <chakra.section key={kind} layerStyle="rows" overflow="clip" css={{ '& + &': { marginTop: '4' } }}>
                <chakra.h3 py="2.5" ps="5" pe="4" bg="bg.subtle">
                  {messages.kinds[kind]}
                </chakra.h3>
                <chakra.ul css={{ '& > li + li': { borderTopWidth: '1px' } }}>
                  {alertsOfKind.map((alert) => (
                    <AlertItem
                      key={alert._id}
                      alert={alert}
                      isMuted={alert.state === 'open' && mutes.some((mute) => isMuteOf(mute, alert))}
                      onAct={(name) => dialog.open(name, alert._id)}
                    />
                  ))}
                </chakra.ul>
              </chakra.section>
            ))}
            <ListFooter
              more={messages.list.loadMore}
              onMore={alerts.length < total ? loadingMore.submit : undefined}
              isPending={loadingMore.pending}
            >
              <p role="status">{messages.list.loaded(alerts.length, total)}</p>
            </ListFooter>
          </>
        )}
      </QueryState>
      {dialog.name === 'assumir' && selected && <AcknowledgeDialog alert={selected} onClose={dialog.close} />}
      {dialog.name === 'silenciar' && selected && <MuteDialog alert={selected} onClose={dialog.close} />}
    </>
  );
}

interface AlertItemProps {
  alert: AlertRowFragment;
  isMuted: boolean;
  onAct: (dialog: (typeof DIALOGS)[number]) => void;
}

function AlertItem({ alert, isMuted, onAct }: AlertItemProps) {
  const { severity, subject, reason, since, resolvedAt, acknowledgedBy, note, machine, flapping } = alert;
  return (
    <Grid
      as="li"
      templateColumns={{ md: 'minmax(0, 1fr) auto' }}
      gap="3"
      p="4"
      borderInlineStart="3px solid"
      borderColor="border"
      borderInlineStartColor={alert.state === 'open' ? EDGES[severity] : 'transparent'}
      css={{ '& p': { maxWidth: '72ch', marginTop: '1', overflowWrap: 'anywhere' } }}
    >
      <div>
        <Flex as="h4" wrap="wrap" align="center" rowGap="1" columnGap="2" fontWeight="medium" overflowWrap="anywhere">
          <SubjectName subject={subject} />
          <Chip color={COLORS[severity]}>{messages.severities[severity]}</Chip>
          {flapping && <Chip color="orange">{messages.list.flapping}</Chip>}
          {isMuted && <Chip>{messages.list.muted}</Chip>}
        </Flex>
        <p>{reason}</p>
        <chakra.p textStyle="xs" color="fg.muted">
          {resolvedAt ? (
            <>
              {messages.list.from} <DateTime at={since} /> {messages.list.until} <DateTime at={resolvedAt} />
            </>
          ) : (
            <>
              {messages.list.since} <RelativeTime at={since} />
            </>
          )}
          {'. '}
          {machine && messages.list.machine(machine)} <DeliverySummary alert={alert} />
        </chakra.p>
        {acknowledgedBy && (
          <chakra.p textStyle="xs" color="fg.muted">
            {messages.list.acknowledged(acknowledgedBy, note ?? null)}
          </chakra.p>
        )}
      </div>
      {alert.state === 'open' && (
        <WriteOnly>
          <Flex wrap="wrap" align="start" gap="1" css={touchTargetCss}>
            {!acknowledgedBy && (
              <Button variant="outline" size="sm" onClick={() => onAct('assumir')}>
                {messages.list.acknowledge}
              </Button>
            )}
            <Button variant={acknowledgedBy ? 'outline' : 'ghost'} size="sm" onClick={() => onAct('silenciar')}>
              {messages.list.mute}
            </Button>
          </Flex>
        </WriteOnly>
      )}
    </Grid>
  );
}

/** The name of an alert's subject, as a link to its page. */
function SubjectName({ subject: { type, id, name } }: Pick<AlertRowFragment, 'subject'>) {
  const path = PATHS[type]?.(id);
  return path ? (
    <Link className={rowStyles.name} to={path}>
      {name}
    </Link>
  ) : (
    name
  );
}

/** The channels that an alert was sent to, and those that it could not be sent to. */
function DeliverySummary({ alert: { deliveries } }: { alert: AlertRowFragment }) {
  const notifiedChannels = [
    ...new Set(deliveries.filter(({ state }) => state === 'sent').map(({ channel }) => channel)),
  ];
  const failed = [...new Set(deliveries.filter(({ lastError }) => lastError).map(({ channel }) => channel))];
  const failedChannels = failed.filter((channel) => !notifiedChannels.includes(channel));
  return (
    <>
      {notifiedChannels.length > 0
        ? messages.list.notifiedChannels(notifiedChannels.join(', '))
        : messages.list.noneNotified}
      {failedChannels.length > 0 && ` ${messages.list.failed(failedChannels.join(', '))}`}
    </>
  );
}

/** The mutes in force, each with a button that ends it. */
function Mutes() {
  const { data, refetch } = useMutesQuery();
  const [unmute] = useUnmuteMutation();
  if (!data || data.mutes.length === 0) return null;
  const end = async (id: string) => {
    await unmute({ variables: { id } });
    await refetch();
    notify(messages.mutes.ended);
  };
  return (
    <chakra.section mt="8">
      <SectionHeading title={messages.mutes.title} />
      <ul>
        {data.mutes.map(({ _id, kind, subject, subjectName, until, reason }) => (
          <Flex
            as="li"
            key={_id}
            wrap="wrap"
            align="center"
            justify="space-between"
            rowGap="1"
            columnGap="4"
            py="1"
            css={touchTargetCss}
          >
            <span>
              {messages.mutes.text(
                messages.subjects[subject.type],
                subjectName ?? null,
                kind ? messages.kinds[kind] : null,
              )}
              , {reason} ({messages.list.until} <DateTime at={until} />)
            </span>
            <WriteOnly>
              <Button
                variant="ghost"
                size="sm"
                onClick={() => void end(_id).catch(notifyFailure(messages.mutes.failure))}
              >
                {messages.mutes.end}
              </Button>
            </WriteOnly>
          </Flex>
        ))}
      </ul>
    </chakra.section>
  );
}
