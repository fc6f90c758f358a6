import type { KeyUsage } from './gateway/count';
import type { Measured } from './metrics';
import type { ConfigurationUpdate } from './snapshot/rows';

/** From the primary to a worker. */
export type ToWorker = { type: 'configuration'; update: ConfigurationUpdate } | { type: 'drain' };

/** From a worker to the primary. */
export type ToPrimary =
  | { type: 'serving' }
  | { type: 'report'; usage: KeyUsage[]; measured: Measured[]; sockets: { busy: number; free: number } }
  | { type: 'failed'; reason: string };
