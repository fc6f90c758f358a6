import { useState } from 'react';
import { ListRow } from '../../ui/list/ListRow';
import { useVirtualRows } from '../../ui/list/useVirtualRows';
import { keysMessages } from './gateway-keys.messages';
import styles from './gateway-keys.module.css';
import type { ApiKeyRowFragment } from './generated/gateway-keys';
import { type KeyActions, KeyItem } from './KeyItem';

interface KeyListProps {
  keys: readonly ApiKeyRowFragment[];
  actions: KeyActions;
  /** Requests of the last 24 hours by key; undefined while they load. */
  traffic: ReadonlyMap<string, readonly number[]> | undefined;
}

/** The keys, each expandable. Above 100 only those near the window are mounted; expanded keys stay expanded. */
export function KeyList({ keys, actions, traffic }: KeyListProps) {
  const { container, parts, measure, onFocus, isVirtual } = useVirtualRows<HTMLUListElement>(keys.length, 53);
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string) =>
    setExpanded((before) => new Set(before.has(id) ? [...before].filter((other) => other !== id) : [...before, id]));

  return (
    <ul ref={container} className={styles.keys} aria-label={keysMessages.list.title} onFocus={onFocus}>
      {parts.map((part) => {
        if (part.kind === 'spacer') return <li key={part.key} aria-hidden style={{ height: part.heightPx }} />;
        const key = keys[part.index];
        if (key === undefined) return null;
        return (
          <ListRow
            as="li"
            key={key._id}
            id={key._id}
            ref={measure}
            data-index={part.index}
            aria-setsize={isVirtual ? keys.length : undefined}
            aria-posinset={isVirtual ? part.index + 1 : undefined}
          >
            <KeyItem
              apiKey={key}
              expanded={expanded.has(key._id)}
              onToggle={() => toggle(key._id)}
              actions={actions}
              hours={traffic?.get(key._id)}
            />
          </ListRow>
        );
      })}
    </ul>
  );
}
