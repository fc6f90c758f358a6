import { client } from '../../lib/graphql/client/client';
import { type HealthFragment, HostUptimesDocument } from '../../lib/graphql/generated/shared';
import { hasOngoingIncident, toUptimeLevel, UPTIME_LEVELS, UptimeReader, useUptime } from '../../lib/hosts/uptimes';
import styles from '../../ui/cells/cells.module.css';
import { formatRelativeTime } from '../../ui/cells/RelativeTime';
import { uptimeMessages as messages } from './uptime.messages';

interface HostUptimeProps {
  kind: 'subdomains' | 'tenants';
  /** The label of a subdomain or the id of a tenant. */
  id: string;
  paused: boolean;
  /** Result of the last check. */
  health: HealthFragment;
}

/** `UptimeReader` stores the uptimes, so Apollo does not cache them too. */
const createUptimeReader = (kind: HostUptimeProps['kind']) =>
  new UptimeReader(async (ids) => {
    const options = { query: HostUptimesDocument, variables: { [kind]: ids }, fetchPolicy: 'no-cache' } as const;
    return (await client.query(options)).data?.uptimes.uptimes ?? [];
  });
const uptimeReaders = { subdomains: createUptimeReader('subdomains'), tenants: createUptimeReader('tenants') };

/**
 * The uptime of a row over 90 days in one line: a bar with a part for each day, the percentage, and the incidents.
 * The uptimes are queried after the list has loaded. A row that was never checked shows nothing.
 */
export function HostUptime({ kind, id, paused, health }: HostUptimeProps) {
  const isDown = !paused && health.state === 'down';
  const uptime = useUptime(uptimeReaders[kind], id, { isDown, checkedAt: health.checkedAt });
  // The height is reserved, so that the rows do not move when the uptimes arrive.
  if (!uptime) return <span className={styles.uptime} />;
  if (typeof uptime.percent !== 'number') return null;
  const { percent, days, incidents, lastIncident } = uptime;
  const levels = days.map(toUptimeLevel);
  const lastIncidentText =
    lastIncident && (lastIncident.endedAt ? formatRelativeTime(lastIncident.startedAt) : messages.ongoing);
  return (
    <span className={styles.uptime} title={messages.title(days.length)}>
      <svg viewBox={`0 0 ${days.length} 1`} preserveAspectRatio="none" aria-hidden>
        {UPTIME_LEVELS.map((level) => (
          <path
            key={level}
            data-level={level}
            d={levels.map((dayLevel, day) => (dayLevel === level ? `M${day} 0h1v1h-1z` : '')).join('')}
          />
        ))}
      </svg>
      <small>
        {messages.percent(percent)}
        {incidents > 0 && lastIncidentText && <span>{` · ${messages.incidents(incidents, lastIncidentText)}`}</span>}
        {isDown && !hasOngoingIncident(uptime) && ` · ${messages.unconfirmed}`}
      </small>
    </span>
  );
}
