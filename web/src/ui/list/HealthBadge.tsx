import { notifyFailure } from '../../lib/notification';
import { useSubmit } from '../form/useSubmit';
import type { RowIcon } from '../theme/rowIcons';
import { uiMessages } from '../ui.messages';
import { Chip, type ChipColor } from './Chip';
import styles from './HealthBadge.module.css';
import { RelativeTime } from './RelativeTime';

const messages = uiMessages.health;

/** What the last look at the target of a host found. */
interface HostHealth {
  state: 'up' | 'down' | 'unknown';
  /** ISO 8601 UTC; absent until somebody looked. */
  checkedAt?: string | null;
  /** A sentence, where the target is not up. */
  reason?: string | null;
}

const COLORS: Record<'up' | 'down', ChipColor> = { up: 'green', down: 'red' };

interface HealthBadgeProps {
  /** The host, for those who do not see the row. */
  name: string;
  paused: boolean;
  health: HostHealth;
  /** Looks again, and shows what was found. */
  onCheck: () => Promise<unknown>;
  /** The sentence for a look that failed without one of its own. */
  fallback: string;
}

/** Whether the target answers, when it was asked, and why not; asks again on demand. */
export function HealthBadge({ name, paused, health, onCheck, fallback }: HealthBadgeProps) {
  const checking = useSubmit({ fallback, onFailure: notifyFailure, send: onCheck });
  return (
    <span className={styles.health}>
      <span>
        {paused ? (
          <Chip color="orange">{messages.paused}</Chip>
        ) : health.state === 'unknown' ? (
          // Nothing is known, so nothing calls for attention.
          <small>{messages.states.unknown}</small>
        ) : (
          <Chip color={COLORS[health.state]}>{messages.states[health.state]}</Chip>
        )}
        <button
          type="button"
          data-icon={'refresh' satisfies RowIcon}
          aria-label={messages.check(name)}
          title={messages.check(name)}
          aria-busy={checking.pending || undefined}
          onClick={checking.submit}
        />
      </span>
      {!paused && health.checkedAt && (
        <small title={health.reason ?? undefined}>
          {health.state === 'down' && health.reason ? `${health.reason} ` : ''}
          <RelativeTime at={health.checkedAt} />
        </small>
      )}
    </span>
  );
}
