import { ChevronRight, Pencil, Trash2 } from 'lucide-react';
import { useId, useState } from 'react';
import { Chip } from '../../ui/Chip';
import { CopyButton } from '../../ui/CopyButton';
import { RowAction } from '../../ui/RowAction';
import { RelativeTime } from '../../ui/Time';
import { formatAllowedIps } from './allowedIps';
import { keysMessages } from './gateway-keys.messages';
import styles from './gateway-keys.module.css';
import type { ApiKeyRowFragment } from './generated/gateway-keys';

const { list: messages } = keysMessages;
const number = new Intl.NumberFormat('pt-BR');

interface KeyItemProps {
  apiKey: ApiKeyRowFragment;
  onEdit: () => void;
  onRemove: () => void;
}

/** One key: its name and usage, and on demand what it may do. */
export function KeyItem({ apiKey, onEdit, onRemove }: KeyItemProps) {
  const { name, permissions, allowedIps, usageCount, createdAt, lastUsedAt } = apiKey;
  const [expanded, setExpanded] = useState(false);
  const details = useId();
  return (
    <li>
      <button
        type="button"
        className={styles.toggle}
        aria-expanded={expanded}
        aria-controls={details}
        onClick={() => setExpanded(!expanded)}
      >
        <ChevronRight aria-hidden size={18} />
        <span className={styles.name}>{name}</span>
        <span className={styles.count}>{messages.requests(number.format(usageCount))}</span>
      </button>
      <div id={details} className={styles.details} hidden={!expanded}>
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
    </li>
  );
}
