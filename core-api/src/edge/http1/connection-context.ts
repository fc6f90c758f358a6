import type { Clock } from './clock';
import type { OpenExchange } from './exchange';
import type { Pool } from './pool';
import type { OpenTunnel } from './tunnel';
import type { Decision, Handler, Limits } from './types';

/** What every connection needs of the engine. @typeParam K a client's connection */
export interface ConnectionContext<C, D extends Decision, K> {
  readonly handler: Handler<C, D>;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly isDraining: boolean;
  readonly pool: Pool;
  readonly openTunnels: Set<OpenTunnel<C, D>>;
  /** Something threw; the connection has been ended. */
  fault(error: unknown, exchange: OpenExchange<C, D> | undefined): void;
  /** The connection is closed. */
  left(connection: K): void;
}
