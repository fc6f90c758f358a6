import { chakra, Grid } from '@chakra-ui/react';
import type { AlertKind, AlertState } from '../../generated/graph';
import { POLL_INTERVAL_MS } from '../../lib/graphql/query/polling';
import { useQueryState } from '../../lib/graphql/query/useQueryState';
import { paths, withParams } from '../../lib/routing/paths';
import { useDialogParam } from '../../lib/routing/useDialogParam';
import { useAccess } from '../../lib/session/access';
import { TextLink } from '../../shared/links/TextLink';
import { Alert } from '../../ui/feedback/Alert';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { QueryState } from '../../ui/feedback/QueryState';
import { useAction } from '../../ui/form/useAction';
import { SectionHeading } from '../../ui/layout/Page';
import { ListFooter } from '../../ui/list/ListFooter';
import { listMessages } from '../../ui/list/list.messages';
import { AcknowledgeDialog } from './AcknowledgeDialog';
import { AlertItem } from './AlertItem';
import { alertsMessages as messages } from './alerts.messages';
import {
  type AlertRowFragment,
  type MuteRowFragment,
  useAlertChannelsQuery,
  useAlertsQuery,
  useMutesQuery,
} from './generated/alerts';
import { MuteDialog } from './silences/MuteDialog';
import { Mutes } from './silences/Mutes';

const PAGE_SIZE = 20;
const DIALOGS = ['assumir', 'silenciar'] as const;

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

/** Lists the channels that fail. Without any channel, warns that alerts reach nobody. */
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
            <TextLink to={withParams(paths.alerts, { aba: 'canais', novo: '1' })}>{messages.list.addChannel}</TextLink>
          )}
        </chakra.p>
      )}
      {failingChannels.map(({ _id, name }) => (
        <chakra.div key={_id} mb="4">
          <Alert
            action={<TextLink to={withParams(paths.alerts, { aba: 'canais' })}>{messages.list.showChannels}</TextLink>}
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

const appliesTo = ({ kind, subject }: MuteRowFragment, alert: AlertRowFragment): boolean =>
  subject.type === alert.subject.type && subject.id === alert.subject.id && (!kind || kind === alert.kind);

/** Alerts of one state, grouped by kind. Each group has its newest alert first. */
function Alerts({ state, title, empty }: { state: AlertState; title: string; empty: string }) {
  const query = useAlertsQuery({
    variables: { state, page: 1, limit: PAGE_SIZE },
    // A poll or a refetch keeps the pages that the user has loaded.
    refetchWritePolicy: 'merge',
    pollInterval: POLL_INTERVAL_MS,
  });
  const { data, state: queryState } = useQueryState(query, { failureMessage: messages.failure.load });
  const { alerts, total } = data?.alerts ?? { alerts: [], total: 0 };
  const mutes = useMutesQuery({ skip: state !== 'open' }).data?.mutes ?? [];
  const dialog = useDialogParam(DIALOGS);
  const selected = alerts.find(({ _id }) => _id === dialog.id);
  const loadingMore = useAction({
    failureMessage: messages.failure.load,
    send: () => query.fetchMore({ variables: { page: Math.floor(alerts.length / PAGE_SIZE) + 1 } }),
  });
  return (
    <>
      <SectionHeading title={title} />
      <QueryState {...queryState}>
        {alerts.length === 0 ? (
          <EmptyState text={empty} />
        ) : (
          <>
            <Grid gap="4">
              {groupByKind(alerts).map(([kind, alertsOfKind]) => (
                <chakra.section key={kind} layerStyle="rows" overflow="clip">
                  <chakra.h3 py="2.5" ps="5" pe="4" bg="bg.subtle">
                    {messages.kinds[kind]}
                  </chakra.h3>
                  <ul>
                    {alertsOfKind.map((alert) => (
                      <AlertItem
                        key={alert._id}
                        alert={alert}
                        isMuted={alert.state === 'open' && mutes.some((mute) => appliesTo(mute, alert))}
                        onOpenDialog={(name) => dialog.open(name, alert._id)}
                      />
                    ))}
                  </ul>
                </chakra.section>
              ))}
            </Grid>
            <ListFooter onMore={alerts.length < total ? loadingMore.run : undefined} isPending={loadingMore.isPending}>
              <p role="status">{listMessages.count(alerts.length, total, messages.list.nouns)}</p>
            </ListFooter>
          </>
        )}
      </QueryState>
      {dialog.name === 'assumir' && selected && <AcknowledgeDialog alert={selected} onClose={dialog.close} />}
      {dialog.name === 'silenciar' && selected && <MuteDialog alert={selected} onClose={dialog.close} />}
    </>
  );
}
