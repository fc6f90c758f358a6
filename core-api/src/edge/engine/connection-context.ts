import type { Clock } from './clock';
import type { Limits } from './limits';
import type { MutableExchange } from './message/exchange';
import type { WebSocketTunnel } from './tunnel/tunnel';
import type { Decision, Handler } from './types';
import type { Pool } from './upstream/pool';

/**
 * The parts of the engine that a client connection uses.
 * @typeParam C the handler's result for a header block
 * @typeParam D decisions of the handler
 * @typeParam K the client connection
 */
export interface ConnectionContext<C, D extends Decision, K> {
  readonly handler: Handler<C, D>;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly isDraining: boolean;
  readonly pool: Pool;
  readonly openTunnels: Set<WebSocketTunnel<C, D>>;
  /** Reports an exception after its connection was ended. */
  reportFault(error: unknown, exchange: MutableExchange<C, D> | undefined): void;
  onConnectionClosed(connection: K): void;
}
