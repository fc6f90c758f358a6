import { chakra, Flex, VisuallyHidden } from '@chakra-ui/react';
import { POLL_INTERVAL_MS } from '../../lib/graphql/query/polling';
import { useQueryState } from '../../lib/graphql/query/useQueryState';
import { toUptimeLevel } from '../../lib/hosts/uptimes';
import { DateTime } from '../../ui/cells/RelativeTime';
import { QueryState } from '../../ui/feedback/QueryState';
import { Panel } from '../../ui/layout/Page';
import { formatDowntime } from './duration';
import { type UptimeQuery, useUptimeQuery } from './generated/uptime';
import { uptimeMessages as messages } from './uptime.messages';

const DAYS = 90;
const MAX_INCIDENTS = 5;
const LEVEL_COLORS = { good: 'green.fg', fair: 'orange.fg', bad: 'danger.fg', unknown: 'border' };
const Percent = chakra('strong', {
  base: { me: '1', color: 'fg', fontSize: '20px', fontWeight: 'semibold', fontVariantNumeric: 'tabular-nums' },
});
const Incident = chakra('li', {
  base: {
    display: 'flex',
    flexWrap: 'wrap',
    columnGap: '4',
    py: '2',
    borderTopWidth: '1px',
    borderColor: 'border',
    color: 'fg.muted',
    _first: { borderTopWidth: '0' },
  },
});
const dayFormat = new Intl.DateTimeFormat('pt-BR', { day: '2-digit', month: '2-digit', timeZone: 'UTC' });

const isOngoing = ({ endedAt }: Uptime['incidents'][number]) => endedAt === null;
type Uptime = UptimeQuery['uptime'];
type Day = Uptime['days'][number];

function formatDay({ day, percent, downSeconds }: Day): string {
  const date = dayFormat.format(new Date(`${day}T00:00:00Z`));
  if (typeof percent !== 'number') return messages.day(date, messages.noData);
  const downText = downSeconds > 0 ? ` · ${messages.downFor(formatDowntime(downSeconds))}` : '';
  return messages.day(date, `${messages.percent(percent)}${downText}`);
}

function Incidents({ incidents }: Pick<Uptime, 'incidents'>) {
  const moreCount = incidents.length - MAX_INCIDENTS;
  return (
    <chakra.div mt="5">
      <chakra.h3 textStyle="sm">{messages.incidents}</chakra.h3>
      <chakra.ul fontVariantNumeric="tabular-nums">
        {incidents.slice(0, MAX_INCIDENTS).map(({ startedAt, endedAt, reason }) => (
          <Incident key={startedAt}>
            <chakra.span color="fg">
              <DateTime at={startedAt} />
            </chakra.span>
            <span>
              {endedAt
                ? messages.lasted(formatDowntime((Date.parse(endedAt) - Date.parse(startedAt)) / 1000))
                : messages.ongoing}
            </span>
            {reason && <span>{reason}</span>}
          </Incident>
        ))}
        {moreCount > 0 && <Incident>{messages.moreIncidents(moreCount)}</Incident>}
      </chakra.ul>
    </chakra.div>
  );
}

interface UptimePanelProps {
  /** The label of a subdomain or the id of a tenant. */
  subject: { subdomain: string } | { tenant: string };
  /** Whether the last check failed. Further checks must confirm an outage before it is an incident. */
  isDown: boolean;
}

/** The uptime of a host in the last 90 days, and its incidents. */
export function UptimePanel({ subject, isDown }: UptimePanelProps) {
  const result = useUptimeQuery({ variables: { ...subject, days: DAYS }, pollInterval: POLL_INTERVAL_MS });
  const { data, state } = useQueryState(result, { failureMessage: messages.failure });
  const uptime = data?.uptime;
  return (
    <Panel title={messages.title} text={messages.period(DAYS)}>
      <QueryState {...state} skeleton="text">
        {uptime && (
          <>
            <chakra.p mt="3" color="fg.muted">
              {typeof uptime.percent === 'number' ? (
                <>
                  <Percent>{messages.percent(uptime.percent)}</Percent>{' '}
                  {uptime.downSeconds > 0 ? messages.downFor(formatDowntime(uptime.downSeconds)) : messages.neverDown}
                  {isDown && !uptime.incidents.some(isOngoing) && `. ${messages.unconfirmed}`}
                </>
              ) : (
                <>
                  <Percent>{messages.unknown}</Percent> {messages.unknownHint}
                </>
              )}
            </chakra.p>
            {typeof uptime.percent === 'number' && (
              <Flex as="ol" gap="1px" height="32px" mt="3" aria-label={messages.days}>
                {uptime.days.map((day) => (
                  <chakra.li
                    key={day.day}
                    flex="1"
                    minW="0"
                    maxW="16px"
                    borderRadius="2xs"
                    bg={LEVEL_COLORS[toUptimeLevel(day.percent)]}
                    title={formatDay(day)}
                  >
                    <VisuallyHidden>{formatDay(day)}</VisuallyHidden>
                  </chakra.li>
                ))}
              </Flex>
            )}
            {uptime.incidents.length > 0 && <Incidents incidents={uptime.incidents} />}
          </>
        )}
      </QueryState>
    </Panel>
  );
}
