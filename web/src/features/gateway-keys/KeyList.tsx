import { useState } from 'react';
import { useVirtualRows } from '../../ui/list/virtual/useVirtualRows';
import { VirtualList } from '../../ui/list/virtual/VirtualList';
import { keysMessages } from './gateway-keys.messages';
import type { ApiKeyRowFragment } from './generated/gateway-keys';
import { type KeyActions, KeyItem } from './KeyItem';

const getRowId = ({ _id }: ApiKeyRowFragment) => _id;

/** Each key is a line with a chevron, name, status, traffic and number of requests. A phone hides the traffic. */
const keysCss = {
  '& > li > button': {
    display: 'grid',
    gridTemplateColumns: { base: '20px minmax(0, 1fr)', md: '20px minmax(0, 1fr) 96px 132px' },
    alignItems: 'center',
    rowGap: { base: '1', md: '3' },
    columnGap: '3',
    width: '100%',
    minHeight: '52px',
    py: '2',
    px: '4',
    textAlign: 'left',
    cursor: 'pointer',
    _hover: { bg: 'bg.subtle' },
    '& > svg': { color: 'fg.muted', transition: 'transform 120ms cubic-bezier(0.2, 0.8, 0.2, 1)' },
    '&[aria-expanded=true] > svg': { transform: 'rotate(90deg)' },
    '& strong': { fontWeight: 'medium', overflowWrap: 'anywhere' },
    '& > span:first-of-type': { display: 'flex', flexWrap: 'wrap', alignItems: 'center', rowGap: '1', columnGap: '3' },
    '& code': { color: 'fg.muted', fontSize: '13px' },
    '& > [data-traffic]': { display: { mdDown: 'none' } },
    '& polyline': { fill: 'none', stroke: 'brand.fg', strokeWidth: '1.5', strokeLinejoin: 'round' },
    '& polygon': { fill: 'brand.subtle' },
    '& > span:last-child': {
      gridColumn: { base: '2', md: 'auto' },
      color: 'fg.muted',
      fontVariantNumeric: 'tabular-nums',
      textAlign: { md: 'right' },
      whiteSpace: 'nowrap',
    },
    '& small': { display: { md: 'block' }, marginLeft: { base: '2', md: '0' }, lineHeight: '16px' },
  },
};

interface KeyListProps {
  keys: readonly ApiKeyRowFragment[];
  /** Number of all keys. `keys` has the loaded keys. */
  total: number;
  actions: KeyActions;
  /** Requests of the last 24 hours by key; undefined while they load. */
  traffic: ReadonlyMap<string, readonly number[]> | undefined;
}

/** A list of expandable keys. From 100 keys on, only keys near the window are mounted. Expanded keys stay expanded. */
export function KeyList({ keys, total, actions, traffic }: KeyListProps) {
  const virtual = useVirtualRows({ rows: keys, rowKey: getRowId, rowHeightPx: 53, total });
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string) =>
    setExpanded((before) => new Set(before.has(id) ? [...before].filter((other) => other !== id) : [...before, id]));

  return (
    <VirtualList layerStyle="rows" css={keysCss} aria-label={keysMessages.list.title} virtual={virtual}>
      {(key) => (
        <KeyItem
          apiKey={key}
          isOpen={expanded.has(key._id)}
          onToggle={() => toggle(key._id)}
          actions={actions}
          hours={traffic?.get(key._id)}
        />
      )}
    </VirtualList>
  );
}
