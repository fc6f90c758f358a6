import { VisuallyHidden } from '@chakra-ui/react';
import { polling } from '../../lib/polling';
import { levelOf } from '../../lib/uptimes';
import { useQueryState } from '../../lib/useQueryState';
import { QueryState } from '../../ui/feedback/QueryState';
import { Panel } from '../../ui/layout/Page';
import { DateTime } from '../../ui/list/RelativeTime';
import { durationText } from './duration';
import { type UptimeQuery, useUptimeQuery } from './generated/uptime';
import { uptimeMessages as messages } from './uptime.messages';
import styles from './uptime.module.css';

const DAYS = 90;
const MAX_INCIDENTS = 5;
const dayFormat = new Intl.DateTimeFormat('pt-BR', { day: '2-digit', month: '2-digit', timeZone: 'UTC' });

type Uptime = UptimeQuery['uptime'];
type Day = Uptime['days'][number];

function dayText({ day, percent, downSeconds }: Day): string {
  const date = dayFormat.format(new Date(`${day}T00:00:00Z`));
  if (typeof percent !== 'number') return messages.day(date, messages.noData);
  const down = downSeconds > 0 ? ` · ${messages.downFor(durationText(downSeconds))}` : '';
  return messages.day(date, `${messages.percent(percent)}${down}`);
}

function Incidents({ incidents }: Pick<Uptime, 'incidents'>) {
  const more = incidents.length - MAX_INCIDENTS;
  return (
    <div className={styles.incidents}>
      <h3>{messages.incidents}</h3>
      <ul>
        {incidents.slice(0, MAX_INCIDENTS).map(({ startedAt, endedAt, reason }) => (
          <li key={startedAt}>
            <DateTime at={startedAt} />
            <span>
              {endedAt
                ? messages.lasted(durationText((Date.parse(endedAt) - Date.parse(startedAt)) / 1000))
                : messages.ongoing}
            </span>
            {reason && <span>{reason}</span>}
          </li>
        ))}
        {more > 0 && <li>{messages.moreIncidents(more)}</li>}
      </ul>
    </div>
  );
}

/** How much of the last 90 days a subdomain (by its label) or a tenant (by its id) was up, and when it was not. */
export function UptimePanel(subject: { subdomain: string } | { tenant: string }) {
  const result = useUptimeQuery({ variables: { ...subject, days: DAYS }, ...polling });
  const { data, state } = useQueryState(result, { fallback: messages.failure });
  const uptime = data?.uptime;
  return (
    <Panel title={messages.title} text={messages.period(DAYS)}>
      <QueryState {...state} skeleton="text">
        {uptime && (
          <>
            <p className={styles.summary}>
              {typeof uptime.percent === 'number' ? (
                <>
                  <strong>{messages.percent(uptime.percent)}</strong>{' '}
                  {uptime.downSeconds > 0 ? messages.downFor(durationText(uptime.downSeconds)) : messages.neverDown}
                </>
              ) : (
                <>
                  <strong>{messages.unknown}</strong> {messages.unknownHint}
                </>
              )}
            </p>
            {typeof uptime.percent === 'number' && (
              <ol className={styles.days} aria-label={messages.days}>
                {uptime.days.map((day) => (
                  <li key={day.day} data-level={levelOf(day.percent)} title={dayText(day)}>
                    <VisuallyHidden>{dayText(day)}</VisuallyHidden>
                  </li>
                ))}
              </ol>
            )}
            {uptime.incidents.length > 0 && <Incidents incidents={uptime.incidents} />}
          </>
        )}
      </QueryState>
    </Panel>
  );
}
