import type { HealthFragment } from '../../lib/graphql/generated/shared';
import { useAccess } from '../../lib/session/access';
import { Chip, type ChipColor } from '../../ui/cells/Chip';
import styles from '../../ui/cells/cells.module.css';
import { RelativeTime } from '../../ui/cells/RelativeTime';
import { useAction } from '../../ui/form/useAction';
import type { RowIcon } from '../../ui/theme/rowIcons';
import { healthMessages as messages } from './health.messages';

const toColor = ({ state, reason }: HealthFragment): ChipColor => {
  if (state === 'down') return 'red';
  return reason ? 'orange' : 'green';
};

function StateChip({ paused, health }: Pick<HealthBadgeProps, 'paused' | 'health'>) {
  if (paused) return <Chip color="orange">{messages.paused}</Chip>;
  // An unknown state needs no attention, so it has no colour.
  if (health.state === 'unknown') return <small title={health.reason ?? undefined}>{messages.states.unknown}</small>;
  return <Chip color={toColor(health)}>{messages.states[health.state]}</Chip>;
}

interface HealthBadgeProps {
  /** The subdomain or the tenant's name, for the label of the button. */
  name: string;
  paused: boolean;
  /** Result of the last check of the host's target. */
  health: HealthFragment;
  onCheck: () => Promise<unknown>;
  /** The message of a failed check if the server's error has none. */
  failureMessage: string;
}

/** Shows whether the target responds, when it was checked and why it does not respond. A button checks again. */
export function HealthBadge({ name, paused, health, onCheck, failureMessage }: HealthBadgeProps) {
  const { canWrite } = useAccess();
  const checking = useAction({ failureMessage, send: onCheck });
  return (
    <span className={styles.health}>
      <span>
        <StateChip paused={paused} health={health} />
        {canWrite && (
          <button
            type="button"
            data-icon={'refresh' satisfies RowIcon}
            aria-label={messages.check(name)}
            title={messages.check(name)}
            aria-busy={checking.isPending || undefined}
            onClick={checking.run}
          />
        )}
      </span>
      {!paused && health.checkedAt && (
        <small title={health.reason ?? undefined}>
          {health.reason ? `${health.reason} · ` : ''}
          {messages.checked} <RelativeTime at={health.checkedAt} />
        </small>
      )}
    </span>
  );
}
