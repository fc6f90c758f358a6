import { ChevronRight, Pencil, Trash2 } from 'lucide-react';
import { useId } from 'react';
import { Chip } from '../../ui/Chip';
import { CopyButton } from '../../ui/CopyButton';
import { RowAction } from '../../ui/RowAction';
import { RelativeTime } from '../../ui/Time';
import { formatAllowedIps } from './allowedIps';
import { keysMessages } from './gateway-keys.messages';
import styles from './gateway-keys.module.css';
import type { ApiKeyRowFragment } from './generated/gateway-keys';

const { list: messages } = keysMessages;

interface KeyItemProps {
  apiKey: ApiKeyRowFragment;
  expanded: boolean;
  onToggle: () => void;
  onEdit: () => void;
  onRemove: () => void;
}

/** One key: its name and usage, and on demand what it may do. */
export function KeyItem({ apiKey, expanded, onToggle, onEdit, onRemove }: KeyItemProps) {
  const { name, permissions, allowedIps, usageCount, createdAt, lastUsedAt } = apiKey;
  const details = useId();
  return (
    <>
      <button
        type="button"
        className={styles.toggle}
        aria-expanded={expanded}
        aria-controls={expanded ? details : undefined}
        onClick={onToggle}
      >
        <ChevronRight aria-hidden size={18} />
        <span className={styles.name}>{name}</span>
        <span className={styles.count}>{messages.requests(usageCount)}</span>
      </button>
      {expanded && (
        <div id={details} className={styles.details}>
          <dl>
            <dt>{messages.permissions}</dt>
            <dd>
              {permissions.map((permission) => (
                <Chip key={permission}>{permission}</Chip>
              ))}
            </dd>
            <dt>{messages.allowedIps}</dt>
            <dd>
              {allowedIps.length === 0 ? messages.allIps : formatAllowedIps(allowedIps)}
              {allowedIps.length > 0 && <CopyButton text={formatAllowedIps(allowedIps)} label={messages.copyIps} />}
            </dd>
            <dt>{messages.created}</dt>
            <dd>
              <RelativeTime at={createdAt} />
            </dd>
            <dt>{messages.lastUsed}</dt>
            <dd>{lastUsedAt ? <RelativeTime at={lastUsedAt} /> : messages.never}</dd>
          </dl>
          <div className={styles.actions}>
            <RowAction label={messages.edit} of={name} icon={<Pencil aria-hidden />} onClick={onEdit} />
            <RowAction label={messages.remove} of={name} icon={<Trash2 aria-hidden />} danger onClick={onRemove} />
          </div>
        </div>
      )}
    </>
  );
}
