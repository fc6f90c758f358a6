import type { RequestEntry } from '../../features/gateway/requests/request-log.service';
import type { SiteRefusal } from '../../platform/net/target';
import type { CountedSubject } from '../../platform/usage/counted-subject';
import type { ConfigUpdate } from '../../routing/config-snapshot';
import type { RateGrant } from '../../routing/keys/rate-window';
import type { ClientConnectionCount } from '../engine/types';
import type { WorkerCounts, WorkerGauges } from '../telemetry/metrics/primary-metrics';
import type { ProcessStats } from '../telemetry/metrics/process-stats';
import type { MetricsReport } from '../telemetry/metrics/worker-metrics';
import type { SpanRow } from '../telemetry/spans/request-spans';

/** Worker's environment variable that contains the name of this edge in `Via`. */
export const VIA_NAME_VARIABLE = 'EDGE_NAME';

/** Worker's environment variable that contains the process id of the primary. */
export const PRIMARY_PID_VARIABLE = 'EDGE_PRIMARY';

/** A page of a configuration update, which takes effect after its last page. */
export interface ConfigPage {
  update: ConfigUpdate;
  isFirst: boolean;
  isLast: boolean;
}

export type ToWorker =
  | { type: 'load-snapshot' }
  | ({ type: 'config' } & ConfigPage)
  | { type: 'drain' }
  /** The worker is overloaded. It must close connections that make up this share of its work. */
  | { type: 'shed'; share: number }
  /**
   * Asks for the connections of each `watched` client, and of each client that has at least `minConnections`.
   * `ALL_CLIENTS` stands for all clients together.
   */
  | { type: 'count-clients'; round: number; minConnections: number; watched: readonly string[] }
  /** Limits the connections of single clients until the next `cap-clients`. Other clients have the normal limit. */
  | { type: 'cap-clients'; caps: readonly (readonly [client: string, limit: number])[] }
  /** Response to `request-lease`. */
  | ({ type: 'lease-reply'; counterId: string } & RateGrant)
  /** The access log's file was rotated. */
  | { type: 'reopen-log' };

export type ToPrimary =
  /** The worker needs a complete configuration, because it could not load the snapshot file or got only changes. */
  | { type: 'config-missing' }
  | { type: 'serving' }
  /** The worker cannot listen and exits, because the port is in use or the descriptor is not a socket. */
  | { type: 'listen-failed'; code: string; message: string }
  /** The worker serves this revision, except for the refused sites. */
  | { type: 'applied'; revision: number; refused: [id: string, SiteRefusal][] }
  | {
      type: 'report';
      usage: CountedSubject[];
      requests: RequestEntry[];
      metrics: MetricsReport;
      gauges: WorkerGauges;
      stats: ProcessStats;
      spans: SpanRow[];
      counts: WorkerCounts;
    }
  /** Response to `count-clients`. */
  | { type: 'clients'; round: number; clients: readonly ClientConnectionCount[] }
  /** Asks for a lease of `requested` requests of a rate-limited key. */
  | { type: 'request-lease'; counterId: string; requested: number }
  /** Returns the unused requests of a lease. `slice` is the `slice` of the lease's `RateGrant`. */
  | { type: 'return-lease'; counterId: string; unused: number; slice: number }
  /** An exception outside of every connection. The worker continues until its successor serves. */
  | { type: 'faulted' };
