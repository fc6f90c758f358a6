import type { ConfigurationUpdate } from '../decide/rows';
import type { RequestEntry } from '../gateway/requests/request-log.service';
import type { Granted } from '../rules/rate-window';
import type { SiteRefusal } from '../rules/target';
import type { CountedSubject } from './counted-usage';
import type { ClientUse } from './http1/types';
import type { Totals, WorkerGauges } from './primary/metrics';
import type { MetricsReport } from './worker/metrics';
import type { SpanRow } from './worker/request-spans';
import type { Vitals } from './worker/vitals';

/** Environment variable of a worker with this edge's name in `Via`. */
export const NAME_VARIABLE = 'EDGE_NAME';

/** Environment variable of a worker with the number of its primary's process. */
export const PRIMARY_VARIABLE = 'EDGE_PRIMARY';

/** From the primary to a worker. */
export type ToWorker =
  | { type: 'configuration'; update: ConfigurationUpdate }
  | { type: 'drain' }
  /** It works more than others: the connections that do so much of its work are to come again, to whoever takes them. */
  | { type: 'shed'; part: number }
  /** What it has of clients with at least so many connections, and of these in any case (`EVERYBODY`: of all together). */
  | { type: 'count-clients'; round: number; least: number; also: readonly string[] }
  /** Of these clients it keeps no more, until the next of these messages; of all others as many as one may have. */
  | { type: 'cap-clients'; caps: readonly (readonly [client: string, most: number])[] }
  /** The answer to `lease`. */
  | ({ type: 'leased'; keyId: string } & Granted)
  /** The access log's file was moved away. */
  | { type: 'reopen-log' };

/** From a worker to the primary. */
export type ToPrimary =
  /** It listens. */
  | { type: 'serving' }
  /** It cannot, and ends: another program has taken the port since it was bound, or it is no socket. */
  | { type: 'not-listening'; code: string; message: string }
  /** What requests are decided by from now on, and the sites of it that are not served. */
  | { type: 'applied'; revision: number; refused: [id: string, SiteRefusal][] }
  | {
      type: 'report';
      usage: CountedSubject[];
      requests: RequestEntry[];
      measured: MetricsReport;
      gauges: WorkerGauges;
      vitals: Vitals;
      spans: SpanRow[];
      /** Since the last report. */
      counts: Omit<Totals, 'workersEnded'>;
    }
  /** The answer to `count-clients`. */
  | { type: 'clients'; round: number; clients: readonly ClientUse[] }
  /** It wants to let through so many more requests of a key with a limit. */
  | { type: 'lease'; keyId: string; wanted: number }
  /** What it leased in a slice and does not need. */
  | { type: 'give-back'; keyId: string; unused: number; slice: number }
  /** Something went wrong outside of every connection: it serves on until another one has taken its place. */
  | { type: 'faulted' };
