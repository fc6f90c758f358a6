import type { ConfigUpdate } from '../../routing/config-snapshot';
import type { ToWorker } from './messages';

/** Rows per message. A worker serves no request while it parses and handles a message. */
const PAGE_CHANGES = 200;

/** Splits an update into messages for a worker. An update without changes becomes one message without rows. */
export function* splitIntoPages({ revision, isComplete, changes }: ConfigUpdate): Generator<ToWorker> {
  for (let start = 0; start === 0 || start < changes.length; start += PAGE_CHANGES) {
    const end = start + PAGE_CHANGES;
    const update = { revision, isComplete, changes: changes.slice(start, end) };
    yield { type: 'config', update, isFirst: start === 0, isLast: end >= changes.length };
  }
}
