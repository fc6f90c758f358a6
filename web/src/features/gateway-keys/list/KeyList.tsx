import { type ReactNode, useState } from 'react';
import { toggleItem } from '../../../ui/form/fields/checkFields';
import { ONE_LINE_ROW_PX, useVirtualRows } from '../../../ui/list/virtual/useVirtualRows';
import { VirtualList } from '../../../ui/list/virtual/VirtualList';
import { keysMessages } from '../gateway-keys.messages';
import type { ApiKeyRowFragment } from '../generated/gateway-keys';
import { KeyItem } from './KeyItem';

const getRowId = ({ _id }: ApiKeyRowFragment) => _id;

interface KeyListProps {
  keys: readonly ApiKeyRowFragment[];
  /** Number of all keys. `keys` has fewer until all pages are loaded. */
  total: number;
  actions: (key: ApiKeyRowFragment) => ReactNode;
  /** Requests of the last 24 hours by key; undefined while they load. */
  traffic: ReadonlyMap<string, readonly number[]> | undefined;
}

/** A list of expandable keys. From 100 keys on, only keys near the window are mounted. Expanded keys stay expanded. */
export function KeyList({ keys, total, actions, traffic }: KeyListProps) {
  const virtual = useVirtualRows({ rows: keys, rowKey: getRowId, rowHeightPx: ONE_LINE_ROW_PX, total });
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string) => setExpanded((before) => new Set(toggleItem([...before], id, !before.has(id))));

  return (
    <VirtualList layerStyle="rows" aria-label={keysMessages.list.title} virtual={virtual}>
      {(key) => (
        <KeyItem
          apiKey={key}
          isOpen={expanded.has(key._id)}
          onToggle={() => toggle(key._id)}
          actions={actions}
          hourlyRequests={traffic?.get(key._id)}
        />
      )}
    </VirtualList>
  );
}
