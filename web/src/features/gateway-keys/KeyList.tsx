import { useState } from 'react';
import { ListRow } from '../../ui/ListRow';
import { useWindowRows } from '../../ui/useWindowRows';
import { keysMessages } from './gateway-keys.messages';
import styles from './gateway-keys.module.css';
import type { ApiKeyRowFragment } from './generated/gateway-keys';
import { KeyItem } from './KeyItem';

interface KeyListProps {
  keys: readonly ApiKeyRowFragment[];
  onEdit: (id: string) => void;
  onRemove: (id: string) => void;
}

/** The keys, each to be unfolded. Above 100 only those near the window are there; what was unfolded stays so. */
export function KeyList({ keys, onEdit, onRemove }: KeyListProps) {
  const { container, places, measure, onFocus, virtual } = useWindowRows<HTMLUListElement>(keys.length, 53);
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string) =>
    setExpanded((before) => new Set(before.has(id) ? [...before].filter((other) => other !== id) : [...before, id]));

  return (
    <ul ref={container} className={styles.keys} aria-label={keysMessages.list.title} onFocus={onFocus}>
      {places.map((place) => {
        if (place.kind === 'gap') return <li key={place.key} aria-hidden style={{ height: place.height }} />;
        const key = keys[place.index];
        if (key === undefined) return null;
        return (
          <ListRow
            as="li"
            key={key._id}
            id={key._id}
            ref={measure}
            data-index={place.index}
            aria-setsize={virtual ? keys.length : undefined}
            aria-posinset={virtual ? place.index + 1 : undefined}
          >
            <KeyItem
              apiKey={key}
              expanded={expanded.has(key._id)}
              onToggle={() => toggle(key._id)}
              onEdit={() => onEdit(key._id)}
              onRemove={() => onRemove(key._id)}
            />
          </ListRow>
        );
      })}
    </ul>
  );
}
